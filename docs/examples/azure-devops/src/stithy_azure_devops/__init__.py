"""Azure DevOps, an example of a forge of another shape. A forge is an organization, since tokens belong to one."""

from stithy_azure_devops.azure_names import AzureDevOpsNames
from stithy_core.spi import ForgeKind, hookimpl

STITHY_API = 1


@hookimpl
def stithy_forges() -> list[ForgeKind]:
    """Return the kind."""
    forge, names = "stithy_azure_devops.azure_forge:AzureDevOps", AzureDevOpsNames()
    return [ForgeKind(name="azure-devops", title="Azure DevOps", forge=forge, names=names)]
