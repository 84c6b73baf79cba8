"""Tools that build images, describe infrastructure or check both: builds, Terraform, Helm, Ansible, Trivy."""

from ci_failures.parsers import family_attributes

PATHS = (
    "image_builds:ImageBuilds",
    "terraform:Terraform",
    "terraform_format:TerraformFormat",
    "helm:Helm",
    "ansible:Ansible",
    "trivy:Trivy",
)
"""Their modules and classes, in the order in which they read."""

__getattr__ = family_attributes(__name__, PATHS)
