"""What the endpoints answer with; the OpenAPI document and the client's types are made from these."""
