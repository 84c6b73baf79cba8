"""Keys of apps: made anew for each run, so that none is kept anywhere."""

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa


def new_key():
    """Make a key as GitHub makes them for apps."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def pem(key):
    """Write a private key as GitHub hands it out."""
    plain = serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, plain).decode()
