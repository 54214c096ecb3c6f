"""The JSON interface: its addresses, their description, and the page that shows them."""
