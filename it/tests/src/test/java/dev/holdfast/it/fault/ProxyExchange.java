package dev.holdfast.it.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One request through a proxy, and its answer to the client. */
final class ProxyExchange implements AutoCloseable {
    private static final long POLL_MILLIS = 20;

    private final FaultProxy proxy;
    private final Socket client;
    private final InputStream fromClient;
    private final OutputStream toClient;
    private volatile @Nullable HttpHead request;
    private volatile @Nullable Socket behind;
    private volatile boolean closed;

    ProxyExchange(FaultProxy proxy, Socket client) throws IOException {
        this.proxy = proxy;
        this.client = client;
        this.fromClient = new BufferedInputStream(client.getInputStream());
        this.toClient = new BufferedOutputStream(client.getOutputStream(), 64 * 1024);
    }

    boolean isOf(Predicate<HttpHead> which) {
        HttpHead requestHead = request;
        return requestHead != null && which.test(requestHead);
    }

    void run() throws IOException, InterruptedException {
        HttpHead requestHead = HttpHead.read(fromClient);
        request = requestHead;
        byte[] body = HttpBodyReader.of(requestHead, fromClient).readAllBytes();
        proxy.listTraffic().begin(requestHead);
        try {
            boolean upgrade = !requestHead.header("Upgrade").isEmpty();
            if (!upgrade) {
                // The client sends nothing more on this connection; this read ends when the client closes the
                // connection.
                Thread.ofVirtual().start(() -> pump(fromClient, OutputStream.nullOutputStream()));
            }
            switch (unstalled(requestHead)) {
                case ProxyFault.HangUp _ -> close();
                case ProxyFault.Answer answer -> give(answer);
                case ProxyFault.Pass _,
                        ProxyFault.Stall _,
                        ProxyFault.Freeze _,
                        ProxyFault.Cut _,
                        ProxyFault.Expire _,
                        ProxyFault.Fail _,
                        ProxyFault.Insert _,
                        ProxyFault.Repeat _,
                        ProxyFault.Swap _ -> forward(requestHead, body, upgrade);
            }
        } finally {
            proxy.listTraffic().end(requestHead);
        }
    }

    /** Waits until no fault prevents the answer from beginning, and returns the fault that applies then. */
    private ProxyFault unstalled(HttpHead requestHead) throws IOException, InterruptedException {
        return past(requestHead, proxyFault -> proxyFault instanceof ProxyFault.Stall);
    }

    /** Waits until no fault prevents the answer from continuing, and returns the fault that applies then. */
    ProxyFault unfrozen(HttpHead requestHead) throws IOException, InterruptedException {
        return past(
                requestHead,
                proxyFault -> proxyFault instanceof ProxyFault.Stall || proxyFault instanceof ProxyFault.Freeze);
    }

    private ProxyFault past(HttpHead requestHead, Predicate<ProxyFault> standstill)
            throws IOException, InterruptedException {
        while (true) {
            ProxyFault proxyFault = proxy.fault(requestHead);
            if (!standstill.test(proxyFault)) {
                return proxyFault;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            if (closed) {
                throw new IOException("the client is gone");
            }
        }
    }

    private void give(ProxyFault.Answer answer) throws IOException {
        String head = "HTTP/1.1 " + answer.status() + " Because\r\nConnection: close\r\n" + answer.headers()
                + "Content-Length: " + answer.body().length() + "\r\n\r\n";
        toClient.write(head.getBytes(ISO_8859_1));
        toClient.write(answer.body().getBytes(ISO_8859_1));
        toClient.flush();
    }

    private void forward(HttpHead requestHead, byte[] body, boolean upgrade) throws IOException, InterruptedException {
        Socket server = proxy.behind();
        behind = server;
        if (closed) {
            close();
        }
        OutputStream toServer = server.getOutputStream();
        List<String> instead = List.of("Connection: " + (upgrade ? "Upgrade" : "close"), "Transfer-Encoding:");
        toServer.write(requestHead.with(instead).bytes());
        toServer.write(body);
        toServer.flush();
        InputStream fromServer = new BufferedInputStream(server.getInputStream(), 64 * 1024);
        HttpHead answer = HttpHead.read(fromServer);
        if (answer.status() == 101) {
            Thread.ofVirtual().start(() -> pump(fromClient, toServer));
            toClient.write(answer.bytes());
            toClient.flush();
            new WatchRelay(this, requestHead, WatchForm.WEBSOCKET)
                    .run(new DataInputStream(fromServer), new ClientBody(toClient, ClientBody.Form.RAW));
            return;
        }
        toClient.write(answer.with(List.of("Connection: close", "Content-Length:", "Transfer-Encoding: chunked"))
                .bytes());
        toClient.flush();
        ClientBody clientBody = new ClientBody(toClient, ClientBody.Form.CHUNKED);
        InputStream answered = HttpBodyReader.of(answer, fromServer);
        boolean frames = requestHead.isWatch() && answer.header("Content-Type").contains("protobuf;stream=watch");
        if (frames) {
            new WatchRelay(this, requestHead, WatchForm.PROTOBUF).run(new DataInputStream(answered), clientBody);
        } else {
            copy(requestHead, answered, clientBody);
        }
    }

    private void copy(HttpHead requestHead, InputStream answered, ClientBody clientBody)
            throws IOException, InterruptedException {
        byte[] part = new byte[16 * 1024];
        long passed = 0;
        for (int read = answered.read(part); read >= 0; read = answered.read(part)) {
            if (unfrozen(requestHead) instanceof ProxyFault.Cut(long bytes, var manner) && passed + read > bytes) {
                clientBody.write(part, (int) Math.max(0, bytes - passed));
                if (manner == ProxyFault.Manner.AS_IF_IT_WERE_ALL) {
                    clientBody.end();
                }
                return;
            }
            clientBody.write(part, read);
            passed += read;
        }
        clientBody.end();
    }

    private void pump(InputStream from, OutputStream to) {
        try (this) {
            byte[] part = new byte[4096];
            for (int read = from.read(part); read >= 0; read = from.read(part)) {
                to.write(part, 0, read);
                to.flush();
            }
        } catch (IOException _) {
            // One side has closed its connection, which also closes the other one.
        }
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        quietly(client);
        Socket server = behind;
        if (server != null) {
            quietly(server);
        }
    }

    private static void quietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // The connection is gone already.
        }
    }
}
