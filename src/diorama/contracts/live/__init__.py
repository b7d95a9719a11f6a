"""What a world and the services that run it live agree on."""
