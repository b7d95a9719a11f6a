"""The endpoints of a live world; all of its own lie under `/api/v1/worlds/{id}` and `/ws/v1/worlds/{id}`."""
