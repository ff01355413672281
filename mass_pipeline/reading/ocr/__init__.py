"""Schedules in pictures and scans, read by Debian's tesseract where it is installed. What is read so waits for a person.

Belongs here: decoding within limits, the call of tesseract, rows with the confidence of their words. Not here: what the words
mean (`reading`). Needs the extra `ocr` and the packages tesseract-ocr and tesseract-ocr-pol; without them it says so.
"""
