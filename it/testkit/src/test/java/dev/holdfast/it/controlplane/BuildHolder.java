package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.nio.file.Path;

/** Another process that builds. */
final class BuildHolder {

    private BuildHolder() {}

    /** Builds in the folder given, with the program given for Go. */
    public static void main(String[] arguments) throws IOException {
        GoBuildTest.build(Path.of(arguments[0]), arguments[1]).run();
    }
}
