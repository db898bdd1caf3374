package dev.holdfast.operator.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.ResponseBody;

/** The body of an answer, read from its connection by whoever wants it: who reads slowly lets the server wait. */
final class ResponseStream extends StreamedResponse {
    private final Call call;
    private final ResponseBody body;
    private final InputStream bytes;
    private final Set<ResponseStream> open;
    private Duration patience;
    private volatile boolean ended;

    /**
     * A body that is open.
     *
     * @param patience how long the socket lets nothing come
     * @param open all that are not closed yet, of which this is one from now on
     */
    static ResponseStream of(Call call, ResponseBody body, Duration patience, Set<ResponseStream> open) {
        ResponseStream one = new ResponseStream(call, body, patience, open);
        open.add(one);
        return one;
    }

    private ResponseStream(Call call, ResponseBody body, Duration patience, Set<ResponseStream> open) {
        this.call = call;
        this.body = body;
        this.bytes = body.byteStream();
        this.patience = patience;
        this.open = open;
        // OkHttp would have a thread watch each read too, which costs a fifth of the reading.
        body.source().timeout().clearTimeout();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (ended) {
            return -1;
        }
        try {
            return bytes.read(into, from, length);
        } catch (IOException e) {
            if (ended) {
                return -1;
            }
            throw failure(e);
        }
    }

    private IOException failure(IOException e) {
        if (Thread.currentThread().isInterrupted()) {
            return new InterruptedIOException("the feed is being closed");
        }
        return e instanceof InterruptedIOException
                ? new IOException("nothing came for " + patience.toSeconds() + " s", e)
                : new IOException("the connection broke: " + e, e);
    }

    @Override
    public void within(Duration limit) {
        patience = limit;
        body.source().timeout().deadline(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void end() {
        ended = true;
        call.cancel();
    }

    @Override
    public void close() {
        open.remove(this);
        body.close();
    }
}
