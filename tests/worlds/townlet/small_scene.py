"""A scene that is quickly captured."""


def small_scene(ticks: int) -> str:
    """Return the file of a scene in which four citizens have much to do for so long."""
    return f"""
name: small
summary: Four citizens with much to do.
ticks: {ticks}
overrides: {{perturbations: {{enabled: false}}}}
citizens:
  - {{id: ann, needs: {{hunger: 0.3, hygiene: 0.2, energy: 0.9}}}}
  - {{id: ben, needs: {{hunger: 0.9, hygiene: 0.2, energy: 0.9}}, position: [2, 40]}}
  - {{id: cleo, needs: {{hunger: 0.9, energy: 0.3}}, position: [44, 30]}}
  - {{id: dov, needs: {{hunger: 0.3, hygiene: 0.1, energy: 0.9}}, food_raw: 0, position: [2, 2]}}
"""
