"""A home with nothing but its title."""

from apps.widgets import title

title("home")
