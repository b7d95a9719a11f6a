"""What players are told: news with their causes, what asks for them, the campaign as JSON."""
