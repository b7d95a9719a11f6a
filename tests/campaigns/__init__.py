"""Campaigns against training, serving and live operation: kills, full disks and hostile visitors, and nothing is lost.

`python -m tests.campaigns --rounds 10 --json reports/campaigns.json` runs all of them and writes a report;
`test_campaigns.py` runs each once.
"""
