"""Three small games to train on; their state lies at fixed addresses and is shown with tiles only."""
