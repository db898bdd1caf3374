package dev.holdfast.it.controlplane;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that holds the built programs and the stages by which kwok plays nodes and pods.
 *
 * @param folder {@code bin/} with one file a {@link Program}, {@code stages/} as kwok's module has them
 */
public record Programs(Path folder) {

    /** Without {@code pod/fast/pod-complete.yaml}: a Job's pod runs until somebody deletes it. */
    private static final List<String> STAGES =
            List.of("node/fast/node-initialize.yaml", "pod/fast/pod-ready.yaml", "pod/fast/pod-delete.yaml");

    /** {@return the path of a program's binary} */
    public Path binary(Program program) {
        return folder.resolve("bin").resolve(program.label());
    }

    Stream<Path> stages() {
        return STAGES.stream().map(folder.resolve("stages")::resolve);
    }
}
