"""The JSON interface: endpoints, their OpenAPI schemas, and the page that documents them."""
