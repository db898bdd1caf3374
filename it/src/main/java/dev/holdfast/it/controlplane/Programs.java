package dev.holdfast.it.controlplane;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that holds the built programs and the stages by which kwok plays nodes and pods.
 *
 * <p>Of kwok's own stages {@code pod-complete} is left out: a Job's pod stays Running until somebody deletes it.
 *
 * @param folder {@code bin/} with one file a {@link Program}, {@code stages/} with one YAML file a stage
 */
public record Programs(Path folder) {

    /** Where kwok's module keeps the stages, below {@code kustomize/stage}. */
    static final List<String> STAGES =
            List.of("node/fast/node-initialize.yaml", "pod/fast/pod-ready.yaml", "pod/fast/pod-delete.yaml");

    /** {@return the path of a program's binary, for example kubectl's} */
    public Path binary(Program program) {
        return folder.resolve("bin").resolve(program.label());
    }

    Stream<Path> stages() {
        return STAGES.stream().map(stage -> folder.resolve("stages").resolve(fileName(stage)));
    }

    static String fileName(String stage) {
        return stage.substring(stage.lastIndexOf('/') + 1);
    }
}
