"""Who may hold the lock of a file at the same time; each opening of a file is a holder of its own."""

import anyio
import pytest

from stithy_core.spi import FileLock, hold_file_lock, try_file_lock
from stithy_core.spi.file_locks import block_for_file_lock


@pytest.mark.parametrize(("how", "free"), [(FileLock.ALONE, False), (FileLock.SHARED, True)])
@pytest.mark.anyio
async def test_a_shared_lock_lets_others_share(tmp_path, how, free):
    async with hold_file_lock(tmp_path / "lock", how):
        with anyio.move_on_after(0 if not free else 30) as scope:
            async with hold_file_lock(tmp_path / "lock", FileLock.SHARED):
                pass
        with try_file_lock(tmp_path / "lock") as alone:
            assert not alone
    assert scope.cancelled_caught is not free


def test_a_lock_is_free_again_when_its_holder_ends(tmp_path):
    with block_for_file_lock(tmp_path / "lock"), try_file_lock(tmp_path / "lock") as alone:
        assert not alone
    with try_file_lock(tmp_path / "lock") as alone:
        assert alone
