"""Ships and fleets: how they are built, supplied, sailed and sent."""
