package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.nio.file.Path;

/** The main class of a separate process that runs a {@link GoBuild}. */
final class BuildHolder {

    private BuildHolder() {}

    /** Runs the build in the given folder, with the given program in place of Go. */
    public static void main(String[] arguments) throws IOException {
        GoBuildTest.build(Path.of(arguments[0]), arguments[1]).run();
    }
}
