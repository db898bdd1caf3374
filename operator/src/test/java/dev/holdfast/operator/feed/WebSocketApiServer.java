package dev.holdfast.operator.feed;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/** Fake API server on loopback. A script decides its answers: plain HTTP for lists, WebSocket frames for watches. */
public final class WebSocketApiServer implements AutoCloseable {
    /** The name of each of its threads. */
    public static final String THREAD = "fake API server";

    private static final int TEXT = 0x81;
    private static final int CLOSE = 0x88;
    private static final int PING = 0x9;
    private static final int PONG = 0x8A;

    private final ServerSocket server;
    private final Answers answers;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final List<Request> received = Collections.synchronizedList(new ArrayList<>());
    private final List<Socket> sockets = Collections.synchronizedList(new ArrayList<>());

    /** The script of the server. */
    public interface Answers {
        /** {@return the answer to a request; called by several threads} */
        Reply to(Request request);
    }

    /** A received request. The target is path and query; the names of headers are in lower case. */
    public record Request(String method, String target, Map<String, String> headers, String body) {
        /** {@return whether it requests an upgrade to a WebSocket} */
        public boolean webSocket() {
            return headers.containsKey("sec-websocket-key");
        }

        /** {@return whether it opens a watch, over WebSocket or plain HTTP} */
        public boolean isWatch() {
            return target.contains("watch=true");
        }
    }

    /** An answer. */
    public sealed interface Reply {
        /** A plain answer. */
        record Says(int code, String body) implements Reply {}

        /** An error answer with a body of bytes. */
        final class Refuses implements Reply {
            private final int code;
            private final String retryAfter;
            private final byte[] body;

            public Refuses(int code, String retryAfter, byte[] body) {
                this.code = code;
                this.retryAfter = retryAfter;
                this.body = body;
            }
        }

        /** Opens a WebSocket and passes it to the handler. */
        record Opens(Taker taker) implements Reply {}

        /** Sends a body part by part, as a list or a watch over plain HTTP, and passes it to the handler. */
        record Streams(Writer writer) implements Reply {}

        /** Sends the headers of an error answer and no body. */
        record Stalls(int code) implements Reply {}

        /** Sends nothing. */
        record StaysSilent() implements Reply {}
    }

    /** Handler of an open watch. */
    public interface Taker {
        /** Called on a separate thread; the watch stays open after it returns. */
        void take(Line line) throws IOException;
    }

    /** Handler that writes a body. */
    public interface Writer {
        /** Called on the thread of the connection; the body stays open after it returns. */
        void write(Body body) throws IOException;
    }

    /** A body in progress. */
    public static final class Body {
        private final OutputStream out;

        Body(OutputStream out) {
            this.out = out;
        }

        /** Sends some bytes. */
        public void send(byte[] bytes) throws IOException {
            out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.UTF_8));
            out.write(bytes);
            out.write("\r\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        /** Ends the body regularly. */
        public void end() throws IOException {
            out.write("0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        /** Closes the connection without ending the body. */
        public void cut() throws IOException {
            out.close();
        }
    }

    /** The server's end of an open watch. */
    public static final class Line {
        private final OutputStream out;

        Line(OutputStream out) {
            this.out = out;
        }

        /** Sends one event: ADDED, MODIFIED, DELETED, BOOKMARK or ERROR, with an object in JSON. */
        public void send(String type, String object) throws IOException {
            frame(
                    TEXT,
                    "{\"type\":\"%s\",\"object\":%s}".formatted(type, object).getBytes(StandardCharsets.UTF_8));
        }

        /** Ends the watch as the API server does at its timeout. */
        public void end() throws IOException {
            frame(CLOSE, new byte[] {0x03, (byte) 0xE8});
        }

        synchronized void frame(int head, byte[] payload) throws IOException {
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            frame.write(head);
            if (payload.length < 126) {
                frame.write(payload.length);
            } else {
                frame.write(126);
                frame.write(payload.length >> 8);
                frame.write(payload.length);
            }
            frame.writeBytes(payload);
            out.write(frame.toByteArray());
            out.flush();
        }
    }

    public WebSocketApiServer(Answers answers) {
        this.answers = answers;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name(THREAD).start(this::accept);
    }

    /** {@return the client configuration for this server} */
    public Config connection() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getLocalPort())
                .build();
    }

    /** {@return a kubeconfig for this server, whose context {@code local} has the namespace {@code shop}} */
    public String kubeconfig() {
        return """
            apiVersion: v1
            kind: Config
            current-context: local
            contexts: [{name: local, context: {cluster: local, user: me, namespace: shop}}]
            clusters: [{name: local, cluster: {server: "%s"}}]
            users: [{name: me, user: {}}]
            """.formatted(connection().getMasterUrl());
    }

    /** {@return all received requests, in order} */
    public List<Request> received() {
        synchronized (received) {
            return List.copyOf(received);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                Thread.ofVirtual().name(THREAD).start(() -> serve(socket));
            }
        } catch (IOException _) {
            // Closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            while (true) {
                String[] line = line(in).split(" ");
                Map<String, String> headers = headers(in);
                String body = new String(
                        in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0"))),
                        StandardCharsets.UTF_8);
                Request request = new Request(line[0], line[1], headers, body);
                received.add(request);
                switch (answers.to(request)) {
                    case Reply.Says(int code, String text) -> say(out, code, "", text.getBytes(StandardCharsets.UTF_8));
                    case Reply.Refuses refusal ->
                        say(
                                out,
                                refusal.code,
                                refusal.retryAfter.isEmpty() ? "" : "Retry-After: " + refusal.retryAfter + "\r\n",
                                refusal.body);
                    case Reply.Stalls(int code) -> {
                        out.write(("HTTP/1.1 " + code + " Stalled\r\nContent-Length: 9\r\n\r\n")
                                .getBytes(StandardCharsets.UTF_8));
                        out.flush();
                    }
                    case Reply.Streams(Writer writer) -> {
                        out.write("HTTP/1.1 200 Streamed\r\nTransfer-Encoding: chunked\r\n\r\n"
                                .getBytes(StandardCharsets.UTF_8));
                        out.flush();
                        writer.write(new Body(out));
                    }
                    case Reply.StaysSilent() -> closing.await();
                    case Reply.Opens(Taker taker) ->
                        open(in, out, headers.getOrDefault("sec-websocket-key", ""), taker);
                }
            }
        } catch (IOException | InterruptedException _) {
            // The client or the test has ended.
        }
    }

    private static void say(OutputStream out, int code, String header, byte[] body) throws IOException {
        out.write("HTTP/1.1 %s Said\r\n%sContent-Type: application/json\r\nContent-Length: %s\r\n\r\n"
                .formatted(code, header, body.length)
                .getBytes(StandardCharsets.UTF_8));
        out.write(body);
        out.flush();
    }

    private static void open(DataInputStream in, OutputStream out, String key, Taker taker) throws IOException {
        out.write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: " + accepted(key) + "\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8));
        out.flush();
        Line line = new Line(out);
        Thread.ofVirtual().name(THREAD).start(() -> {
            try {
                taker.take(line);
            } catch (IOException _) {
                // The client has disconnected.
            }
        });
        while (true) {
            int head = in.readUnsignedByte();
            int length = in.readUnsignedByte() & 0x7F;
            byte[] mask = in.readNBytes(4);
            byte[] payload = in.readNBytes(length);
            for (int i = 0; i < length; i++) {
                payload[i] ^= mask[i % 4];
            }
            if ((head & 0xF) == PING) {
                line.frame(PONG, payload);
            } else if (head == CLOSE) {
                line.frame(CLOSE, payload);
                return;
            }
        }
    }

    private static String accepted(String key) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1")
                            .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
            line.append((char) c);
        }
        return line.toString().strip();
    }

    private static Map<String, String> headers(DataInputStream in) throws IOException {
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return headers;
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            server.close();
            for (Socket socket : List.copyOf(sockets)) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
