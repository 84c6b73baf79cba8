"""Make a Gradle of `dev.gradleplugins:gradle-api`, which has all classes of a version in one library.

Gradle looks for a library for each of its modules: those made here only say which modules they need, and one of them is
the whole. Libraries that tests bring themselves were moved to other packages there; what runs tests is moved back.
"""

import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "jvm"))

from keeping import libraries

WHOLE, BEACON = "gradle-base-services", "gradle-installation-beacon"
MOVED = "org/gradle/internal/impldep/"
BACK = ("org/junit", "org/testng", "org/opentest4j", "org/hamcrest", "junit/framework")
RUNNERS = "org/gradle/api/internal/tasks/testing/"
KOTLIN = ("kotlin-stdlib-1.9.24.jar", "kotlin-reflect-1.9.24.jar")
SIZES = {3: 5, 4: 5, 5: 9, 6: 9, 7: 3, 8: 3, 9: 5, 10: 5, 11: 5, 12: 5, 15: 4, 16: 3, 17: 5, 18: 5, 19: 3, 20: 3}
"""Bytes of a constant of a class, by its kind."""
OPENED = ("java.util", "java.lang", "java.lang.invoke", "java.nio.charset", "java.net", "java.util.concurrent.atomic")


def needs(archive, module):
    """Give what a module says of itself: modules, libraries and optional modules."""
    name = f"{module}-classpath.properties"
    text = archive.read(name).decode() if name in archive.namelist() else ""
    found = (re.search(rf"^{key}=(.+)$", text, re.MULTILINE) for key in ("projects", "runtime", "optional"))
    return [one[1].split(",") if one else [] for one in found]


def moved_back(data):
    """Rename libraries in the constants of a class."""
    count, at, number, out = struct.unpack(">H", data[8:10])[0], 10, 1, bytearray(data[:10])
    while number < count:
        kind = data[at]
        if kind == 1:
            size = struct.unpack(">H", data[at + 1 : at + 3])[0]
            text = data[at + 3 : at + 3 + size]
            for one in BACK:
                text = text.replace((MOVED + one).encode(), one.encode())
                text = text.replace((MOVED + one).replace("/", ".").encode(), one.replace("/", ".").encode())
            out += b"\x01" + struct.pack(">H", len(text)) + text
            at += 3 + size
        else:
            out += data[at : at + SIZES[kind]]
            at += SIZES[kind]
            number += kind in {5, 6}
        number += 1
    return bytes(out + data[at:])


def whole(source, target):
    """Copy the one library without what says that it is one, and with the runners of tests moved back."""
    shutil.copy(source, target)
    subprocess.run(["zip", "-q", "-d", target, "META-INF/.gradle-runtime-shaded", f"{WHOLE}-*"], check=False)
    with tempfile.TemporaryDirectory() as temporary, zipfile.ZipFile(source) as archive:
        for name in archive.namelist():
            if name.startswith(RUNNERS) and name.endswith(".class"):
                path = Path(temporary, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(moved_back(archive.read(name)))
        subprocess.run(["zip", "-q", "-r", target, "."], cwd=temporary, check=True)


def beacon(folder):
    """Make the class by which Gradle finds where it is; give its path."""
    source = folder / "InstallationBeacon.java"
    package = "org.gradle.internal.installation.beacon"
    source.write_text(f"package {package}; public class InstallationBeacon {{}}\n", encoding="utf-8")
    subprocess.run(["javac", "--release", "8", "-d", folder, source], check=True)
    return f"{package.replace('.', '/')}/InstallationBeacon.class"


def lay(archive, fetched, library, lib, version):
    """Lay one library for each module."""
    names = [name.removesuffix("-classpath.properties") for name in archive.namelist() if "/" not in name]
    own = {name for name in names if name.startswith("gradle-") and not name.endswith(".properties")}
    modules = own | {BEACON} | {one for name in own for one in (*needs(archive, name)[0], *needs(archive, name)[2])}
    external = {one for module in modules for one in needs(archive, module)[1]}
    groovy = next(one for one in external if re.fullmatch(r"groovy-[\d.]+\.jar", one))[7:-4]
    plugins = "".join(
        archive.read(name).decode() for name in archive.namelist() if name.endswith("-plugins.properties")
    )
    for one in external:
        zipfile.ZipFile(lib / one, "w").writestr("empty", "")
    brought = [path for path in fetched if path.name.startswith(("groovy", "kotlin-", "ant"))]
    for path in brought:
        shutil.copy(path, lib / path.name)
    whole(library, lib / f"{WHOLE}-{version}.jar")
    for module in modules:
        folder = lib / "plugins" if module in re.findall(r"gradle-[\w-]+", plugins) else lib
        projects, _, optional = needs(archive, module)
        runtime = (
            [path.name for path in brought if path.name.startswith(("groovy", "kotlin-"))] if module == WHOLE else []
        )
        said = (
            f"projects={','.join([BEACON, *projects] if module == WHOLE else projects)}\nruntime={','.join(runtime)}\n"
        )
        with zipfile.ZipFile(folder / f"{module}-{version}.jar", "a") as made:
            made.writestr(
                f"{module}-classpath.properties", said + (f"optional={','.join(optional)}\n" if optional else "")
            )
            if module == "gradle-launcher":
                path = f"{WHOLE}-{version}.jar {BEACON}-{version}.jar"
                made.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\nClass-Path: {path}\n")
            if module == BEACON:
                with tempfile.TemporaryDirectory() as temporary:
                    name = beacon(Path(temporary))
                    made.write(Path(temporary, name), name)
    return groovy


def gradle(folder, version, groovy):
    """Make a version in a folder, and give the words that call it; its Groovy must be told."""
    lib = folder / "lib"
    (lib / "plugins").mkdir(parents=True)
    parts = ("", "-ant", "-xml", "-json", "-templates", "-sql", "-nio")
    wanted = [f"org.codehaus.groovy:groovy{part}:{groovy}" for part in parts]
    wanted += [f"org.jetbrains.kotlin:{one.removesuffix('-1.9.24.jar')}:1.9.24" for one in KOTLIN]
    fetched = libraries(folder / "fetched", f"dev.gradleplugins:gradle-api:{version}", *wanted)
    library = next(path for path in fetched if path.name.startswith("gradle-api"))
    with zipfile.ZipFile(library) as archive:
        assert lay(archive, fetched, library, lib, version) == groovy
    opened = [f"--add-opens=java.base/{one}=ALL-UNNAMED" for one in OPENED]
    path = ":".join(f"{lib}/{one}-{version}.jar" for one in ("gradle-launcher", WHOLE, BEACON))
    words = ["java", "-Xmx700m", *opened, "-cp", path, "org.gradle.launcher.GradleMain", "--no-daemon"]
    return [*words, "-g", str(folder / "home"), "-Dorg.gradle.jvmargs=-Xmx700m", "--console=plain", "--continue"]
