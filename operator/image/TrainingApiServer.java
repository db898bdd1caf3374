import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/**
 * Fake API server for the operator's start. It serves one policy, empty lists of the other policy kind and of pauses,
 * and recorded protobuf lists of each kind of the feeds. Its watches stay silent.
 */
final class TrainingApiServer implements AutoCloseable {
    private static final String PASSWORD = "standin";
    private static final String VERSION = "1";
    private static final String POLICY = """
        {"apiVersion":"holdfast.dev/v1alpha1","kind":"ClusterPlacementPolicy",\
        "metadata":{"name":"training","uid":"1f0c8a52-0000-4000-8000-000000000001","generation":1,"resourceVersion":"1",\
        "creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{"mode":"Audit","podSelector":{},"forgivenessSeconds":60}}\
        """;

    private final Path recordings;
    private final SSLServerSocket socket;
    private final byte[] authority;
    private final Map<String, String> stored = new ConcurrentHashMap<>();
    private final CountDownLatch reported = new CountDownLatch(1);

    private record Request(String method, String path, Map<String, String> headers, String body) {}

    /**
     * Starts the server on a free port of the loopback address.
     *
     * @param recordings the folder of the compressed protobuf lists: {@code pods.pb.gz}
     * @param scratch the folder for the key
     */
    TrainingApiServer(Path recordings, Path scratch)
            throws IOException, GeneralSecurityException, InterruptedException {
        this.recordings = recordings;
        KeyStore keys = newKey(scratch.resolve("standin.p12"));
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        this.authority = pem(keys.getCertificate("standin").getEncoded());
        this.socket = (SSLServerSocket)
                tls.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::accept);
    }

    private static KeyStore newKey(Path file) throws IOException, GeneralSecurityException, InterruptedException {
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "standin",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=standin",
                        "-ext",
                        "SAN=ip:127.0.0.1",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD))
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed: " + said);
        }
        return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    }

    private static byte[] pem(byte[] certificate) {
        String lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(certificate);
        return ("-----BEGIN CERTIFICATE-----\n" + lines + "\n-----END CERTIFICATE-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    int port() {
        return socket.getLocalPort();
    }

    /** {@return the CA certificate of the server, as PEM} */
    byte[] authority() {
        return authority.clone();
    }

    /** Waits until the operator has written the status of its policy, the last step of its start. */
    void awaitReport() throws InterruptedException {
        reported.await();
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = socket.accept();
                Thread.ofVirtual().start(() -> serve(connection));
            }
        } catch (IOException _) {
            // Closed.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            OutputStream out = connection.getOutputStream();
            for (Request request = read(in); request != null; request = read(in)) {
                answer(request, in, out);
            }
        } catch (IOException | GeneralSecurityException _) {
            // The operator has hung up.
        }
    }

    /** {@return the next request; null at the end of the connection} */
    private static Request read(InputStream in) throws IOException {
        String first = line(in);
        if (first.isEmpty()) {
            return null;
        }
        Map<String, String> headers = new HashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            String[] parts = line.split(": *", 2);
            headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        String[] words = first.split(" ", 3);
        return new Request(words[0], words[1], headers, body);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.write(next);
        }
        return line.toString(StandardCharsets.US_ASCII).strip();
    }

    private void answer(Request request, InputStream in, OutputStream out)
            throws IOException, GeneralSecurityException {
        String path = request.path().replaceFirst("\\?.*", "");
        if (request.headers().containsKey("sec-websocket-key")) {
            upgrade(request, out);
            hold(in);
        } else if (request.path().contains("watch=true")) {
            out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            hold(in);
        } else {
            switch (request.method()) {
                case "GET" -> get(request, path, out);
                case "PATCH" -> {
                    reply(out, 200, POLICY);
                    reported.countDown();
                }
                default -> {
                    String object = request.body()
                            .replaceFirst("\"metadata\":\\{", "\"metadata\":{\"resourceVersion\":\"2\",")
                            .replaceFirst("\"spec\":\\{", "\"status\":{\"allowed\":true},\"spec\":{");
                    stored.put(path.endsWith("/leases") ? path + "/holdfast" : path, object);
                    reply(out, request.method().equals("POST") ? 201 : 200, object);
                }
            }
        }
    }

    private void get(Request request, String path, OutputStream out) throws IOException {
        String resource = path.substring(path.lastIndexOf('/') + 1);
        if (request.headers().getOrDefault("accept", "").contains("protobuf")) {
            reply(out, 200, "application/vnd.kubernetes.protobuf", recording(resource));
        } else if (stored.containsKey(path)) {
            reply(out, 200, stored.get(path));
        } else if (path.equals("/version")) {
            reply(out, 200, "{\"major\":\"1\",\"minor\":\"37\",\"gitVersion\":\"v1.37.1\"}");
        } else if (path.contains("/leases/")) {
            reply(out, 404, "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":404}");
        } else {
            String items = resource.equals("clusterplacementpolicies") ? POLICY : "";
            reply(
                    out,
                    200,
                    "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + VERSION
                            + "\"},\"items\":[" + items + "]}");
        }
    }

    private byte[] recording(String resource) throws IOException {
        try (InputStream list = new GZIPInputStream(Files.newInputStream(recordings.resolve(resource + ".pb.gz")))) {
            return list.readAllBytes();
        }
    }

    private static void reply(OutputStream out, int code, String json) throws IOException {
        reply(out, code, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    private static void reply(OutputStream out, int code, String type, byte[] body) throws IOException {
        String head = "HTTP/1.1 " + code + " Answer\r\nContent-Type: " + type + "\r\nContent-Length: " + body.length
                + "\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
    }

    private static void upgrade(Request request, OutputStream out) throws IOException, GeneralSecurityException {
        // RFC 6455, section 4.2.2.
        String key = request.headers().get("sec-websocket-key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
        byte[] hash = MessageDigest.getInstance("SHA-1").digest(key.getBytes(StandardCharsets.US_ASCII));
        String head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: " + Base64.getEncoder().encodeToString(hash) + "\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Waits until the operator closes the connection. */
    private static void hold(InputStream in) throws IOException {
        int _ = in.read();
        throw new IOException("held to its end");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
