"""Parsers of tools for the JVM: Maven's, Gradle, sbt, Ant, the runners of JUnit and TestNG, and compilers."""

from ci_failures.parsers import family_attributes

PATHS = (
    "surefire:Surefire",
    "gradle:Gradle",
    "junit_console:JUnitConsole",
    "junit_text:JUnitText",
    "kotest:Kotest",
    "testng:TestNG",
    "ant:Ant",
    "clojure:ClojureTest",
    "scalatest:ScalaTest",
    "munit:Munit",
    "munit:JUnitUnderSbt",
    "specs2:Specs2",
    "zio:ZioTest",
    "javac:Javac",
    "kotlinc:Kotlinc",
    "scalac:Scalac",
    "scalafmt:Scalafmt",
    "checkstyle:Checkstyle",
    "android_lint:AndroidLint",
    "android_tools:AndroidTools",
    "spotless:Spotless",
    "build_failures:MavenBuild",
    "build_failures:AntBuild",
)
"""Their modules and classes, in the order in which they read."""

__getattr__ = family_attributes(__name__, PATHS)
