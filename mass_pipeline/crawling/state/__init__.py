"""What survives a restart: state files, hosts, packed bodies, room on the disk, logs. No decision about a crawl."""
