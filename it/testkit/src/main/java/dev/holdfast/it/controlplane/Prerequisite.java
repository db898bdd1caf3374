package dev.holdfast.it.controlplane;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A tool that must be on the PATH of this machine.
 *
 * @param whatToDo why the tool is needed and how to install it, for the message if the tool is missing
 */
public record Prerequisite(String tool, String whatToDo) {

    static final Prerequisite GO = new Prerequisite(
            "go", "Go 1.26 or newer builds what runs beside Holdfast: install it from https://go.dev/dl/");

    static final Prerequisite SETPRIV =
            new Prerequisite("setpriv", "it keeps processes from outliving the JVM: install the package util-linux");

    static final Prerequisite SETSID =
            new Prerequisite("setsid", "it keeps Ctrl-C from the servers: install the package util-linux");

    /** The tool that starts a program in its own Linux namespaces and root folder. */
    public static final Prerequisite UNSHARE = new Prerequisite(
            "unshare", "it starts an image without a container engine: install the package util-linux");

    /**
     * {@return the path of the tool}
     *
     * @throws ControlPlaneException if the tool is not on the PATH
     */
    public Path require() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(File.pathSeparator))
                .map(folder -> Path.of(folder, tool).toAbsolutePath())
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new ControlPlaneException(tool + " is not on the PATH; " + whatToDo));
    }
}
