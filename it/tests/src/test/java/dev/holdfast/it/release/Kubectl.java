package dev.holdfast.it.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs kubectl as the administrator of a control plane. */
record Kubectl(ControlPlane controlPlane) {
    /**
     * What kubectl printed.
     *
     * @param text standard output and standard error, with the warnings of the API server
     */
    record Answer(int exitCode, String text) {}

    /** {@return what kubectl printed; fails if its exit code is not 0} */
    String run(String... arguments) {
        Answer answer = answer("", arguments);
        assertThat(answer.exitCode()).as(answer.text()).isZero();
        return answer.text();
    }

    /**
     * Runs kubectl until it ends.
     *
     * @param input its standard input
     */
    Answer answer(String input, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                controlPlane.binary(Program.KUBECTL).toString(),
                "--kubeconfig",
                controlPlane.kubeconfig().toString()));
        command.addAll(List.of(arguments));
        try {
            Path file = Files.writeString(Files.createTempFile(controlPlane.folder(), "input", ".yaml"), input);
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(file.toFile())
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), UTF_8);
            return new Answer(process.waitFor(), text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run kubectl", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while kubectl ran", e);
        }
    }
}
