package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.nio.file.Path;

/** A separate process that builds. */
final class BuildHolder {

    private BuildHolder() {}

    /** Builds in the given folder, with the given program in place of Go. */
    public static void main(String[] arguments) throws IOException {
        GoBuildTest.build(Path.of(arguments[0]), arguments[1]).run();
    }
}
