package dev.holdfast.operator.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.ResponseBody;

/** The body of an HTTP response, read directly from the connection. A slow reader makes the server wait. */
final class ResponseStream extends StreamedResponse {
    private final Call call;
    private final ResponseBody body;
    private final InputStream bytes;
    private final Set<ResponseStream> open;
    private Duration patience;
    private volatile boolean ended;

    /**
     * Opens a stream of a response body, and adds it to the open streams.
     *
     * @param patience the longest wait for the next bytes
     * @param open the streams that are not closed yet; the new stream is added, and removes itself when it is closed
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
        // By default OkHttp also limits each read from another thread, which costs a fifth of the reading time.
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
                ? new IOException("no data for " + patience.toSeconds() + " s", e)
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
