"""A bundled web of made-up parishes on loopback: directory, Places emulator and sites, served over real HTTP."""
