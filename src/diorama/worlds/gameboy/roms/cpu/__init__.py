"""Programs about instructions alone; the screen stays off."""
