package dev.holdfast.it.controlplane;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A tool that must be on the PATH of this machine, and the one line said when it is not. */
record Prerequisite(String tool, String whatToDo) {

    static final Prerequisite GO = new Prerequisite(
            "go", "Go 1.26 or newer builds what runs beside Holdfast: install it from https://go.dev/dl/");

    static final Prerequisite SETPRIV =
            new Prerequisite("setpriv", "it keeps processes from outliving the JVM: install the package util-linux");

    /**
     * Does nothing when the tool is there.
     *
     * @throws ControlPlaneException if it is not
     */
    void require() {
        if (!isOnPath()) {
            throw new ControlPlaneException(tool + " is not on the PATH; " + whatToDo);
        }
    }

    private boolean isOnPath() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(File.pathSeparator))
                .map(folder -> Path.of(folder, tool))
                .anyMatch(Files::isExecutable);
    }
}
