package dev.holdfast.it.bench;

import dev.holdfast.it.controlplane.ChildProcesses;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/**
 * Measurement of the lower bound for a read of all pods: curl lists them once, in protobuf over HTTP/1.1, and discards
 * them.
 */
record CurlFloor(BenchEnvironment environment) {
    CurlRead read() throws IOException, InterruptedException {
        Config connection = environment.controlPlane().config();
        Path folder = environment.controlPlane().folder();
        // In a file, because all users of the machine can read the command line.
        Path headers = Files.writeString(
                folder.resolve("curl-headers"),
                "Authorization: Bearer " + connection.getAutoOAuthToken()
                        + "\nAccept: application/vnd.kubernetes.protobuf\n");
        Path authority = Files.write(
                folder.resolve("curl-authority.crt"), Base64.getMimeDecoder().decode(connection.getCaCertData()));
        Path errors = folder.resolve("logs/curl.log");
        ServerTime server = ServerTime.now(environment);
        Process curl = ChildProcesses.start(new ProcessBuilder(List.of(
                        "curl",
                        "--silent",
                        "--show-error",
                        "--fail",
                        "--http1.1",
                        // The API server takes curl's default User-Agent for an interactive user, and indents its
                        // answers.
                        "--user-agent",
                        "bench",
                        "--cacert",
                        authority.toString(),
                        "--header",
                        "@" + headers,
                        "--output",
                        "/dev/null",
                        "--write-out",
                        "%{time_total} %{size_download}",
                        connection.getMasterUrl() + "api/v1/pods"))
                .redirectError(errors.toFile()));
        String written = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (curl.waitFor() != 0) {
            throw new BenchException("curl, which must be on the PATH, failed: " + Files.readString(errors));
        }
        String[] figures = written.split(" ", 2);
        return new CurlRead(Double.parseDouble(figures[0]), Long.parseLong(figures[1]), server.since());
    }
}
