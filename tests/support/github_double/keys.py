"""Keys of apps, created for each run, so that none is stored anywhere."""

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes


def create_key() -> RSAPrivateKey:
    """Create a key like GitHub's for apps."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def format_pem(key: PrivateKeyTypes) -> str:
    """Format a private key as GitHub's download does."""
    plain = serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, plain).decode()
