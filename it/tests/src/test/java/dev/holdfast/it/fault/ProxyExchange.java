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

/** One request through a proxy, and what the client is given of its answer. */
final class ProxyExchange implements AutoCloseable {
    private static final long GLANCE_MILLIS = 20;

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
        HttpHead asked = request;
        return asked != null && which.test(asked);
    }

    void run() throws IOException, InterruptedException {
        HttpHead asked = HttpHead.read(fromClient);
        request = asked;
        byte[] body = HttpBodyReader.of(asked, fromClient).readAllBytes();
        proxy.listTraffic().begin(asked);
        try {
            boolean upgrade = !asked.header("Upgrade").isEmpty();
            if (!upgrade) {
                // Nothing more comes from who asks; that he goes is heard here.
                Thread.ofVirtual().start(() -> pump(fromClient, OutputStream.nullOutputStream()));
            }
            switch (unstalled(asked)) {
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
                        ProxyFault.Swap _ -> forward(asked, body, upgrade);
            }
        } finally {
            proxy.listTraffic().end(asked);
        }
    }

    /** {@return the fault there is, once it lets an answer begin} */
    private ProxyFault unstalled(HttpHead asked) throws IOException, InterruptedException {
        return past(asked, proxyFault -> proxyFault instanceof ProxyFault.Stall);
    }

    /** {@return the fault there is, once it lets an answer go on} */
    ProxyFault unfrozen(HttpHead asked) throws IOException, InterruptedException {
        return past(
                asked, proxyFault -> proxyFault instanceof ProxyFault.Stall || proxyFault instanceof ProxyFault.Freeze);
    }

    private ProxyFault past(HttpHead asked, Predicate<ProxyFault> standstill) throws IOException, InterruptedException {
        while (true) {
            ProxyFault proxyFault = proxy.fault(asked);
            if (!standstill.test(proxyFault)) {
                return proxyFault;
            }
            TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
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

    private void forward(HttpHead asked, byte[] body, boolean upgrade) throws IOException, InterruptedException {
        Socket server = proxy.behind();
        behind = server;
        if (closed) {
            close();
        }
        OutputStream toServer = server.getOutputStream();
        List<String> instead = List.of("Connection: " + (upgrade ? "Upgrade" : "close"), "Transfer-Encoding:");
        toServer.write(asked.with(instead).bytes());
        toServer.write(body);
        toServer.flush();
        InputStream fromServer = new BufferedInputStream(server.getInputStream(), 64 * 1024);
        HttpHead answer = HttpHead.read(fromServer);
        if (answer.status() == 101) {
            Thread.ofVirtual().start(() -> pump(fromClient, toServer));
            toClient.write(answer.bytes());
            toClient.flush();
            new WatchRelay(this, asked, WatchForm.WEBSOCKET)
                    .run(new DataInputStream(fromServer), new ClientBody(toClient, ClientBody.Form.RAW));
            return;
        }
        toClient.write(answer.with(List.of("Connection: close", "Content-Length:", "Transfer-Encoding: chunked"))
                .bytes());
        toClient.flush();
        ClientBody clientBody = new ClientBody(toClient, ClientBody.Form.CHUNKED);
        InputStream answered = HttpBodyReader.of(answer, fromServer);
        boolean frames = asked.isWatch() && answer.header("Content-Type").contains("protobuf;stream=watch");
        if (frames) {
            new WatchRelay(this, asked, WatchForm.PROTOBUF).run(new DataInputStream(answered), clientBody);
        } else {
            copy(asked, answered, clientBody);
        }
    }

    private void copy(HttpHead asked, InputStream answered, ClientBody clientBody)
            throws IOException, InterruptedException {
        byte[] part = new byte[16 * 1024];
        long passed = 0;
        for (int read = answered.read(part); read >= 0; read = answered.read(part)) {
            if (unfrozen(asked) instanceof ProxyFault.Cut(long bytes, var manner) && passed + read > bytes) {
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
            // The end of one side is the end of the other.
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
            // It is gone, which is all that is wanted.
        }
    }
}
