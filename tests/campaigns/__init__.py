"""Campaigns against training, serving and live operation: processes are killed, disks run full, and nothing is lost.

`python -m tests.campaigns --rounds 10 --json reports/campaigns.json` runs all of them and writes a report;
`test_campaigns.py` runs each once.
"""
