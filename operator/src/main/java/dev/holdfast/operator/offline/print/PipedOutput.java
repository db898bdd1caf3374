package dev.holdfast.operator.offline.print;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.IntConsumer;

/**
 * Standard output. If it is a pipe that nothing reads any more, as in {@code holdfast check | head}, the process ends
 * at once and without a message, as kubectl does.
 */
public final class PipedOutput extends FilterOutputStream {
    /** What a shell reports of a process that SIGPIPE ended. */
    private static final int CLOSED_PIPE = 141;

    private final Terminal terminal;
    private final IntConsumer halt;

    /**
     * @param terminal says whether the output is a pipe
     * @param halt ends the process at once with an exit code
     */
    public PipedOutput(OutputStream output, Terminal terminal, IntConsumer halt) {
        super(output);
        this.terminal = terminal;
        this.halt = halt;
    }

    @Override
    public void write(byte[] bytes, int from, int number) throws IOException {
        try {
            out.write(bytes, from, number);
        } catch (IOException e) {
            // The message is that of the system, in its language.
            if (terminal.isPipe() || String.valueOf(e.getMessage()).contains("Broken pipe")) {
                halt.accept(CLOSED_PIPE);
            }
            throw e;
        }
    }
}
