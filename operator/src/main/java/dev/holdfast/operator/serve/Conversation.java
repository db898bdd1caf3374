package dev.holdfast.operator.serve;

import dev.holdfast.operator.serve.http.Connection;
import dev.holdfast.operator.serve.http.HeadBuffer;
import dev.holdfast.operator.serve.http.RequestHead;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;

/** The requests of one connection and their replies, one after the other. */
final class Conversation {
    private final Connection connection;
    private final boolean keepsAlive;
    private final Function<RequestHead.Complete, HttpReply> answers;
    private final HeadBuffer received = new HeadBuffer();

    /**
     * Creates the conversation.
     *
     * @param keepsAlive whether a client may send further requests after its first
     * @param answers creates the reply to a request
     */
    Conversation(Connection connection, boolean keepsAlive, Function<RequestHead.Complete, HttpReply> answers) {
        this.connection = connection;
        this.keepsAlive = keepsAlive;
        this.answers = answers;
    }

    /**
     * Answers requests until the client, a refusal or the last reply ends the connection. After each answer, other
     * connections have their turn: a virtual thread that never waits would keep them from the processor.
     */
    @SuppressWarnings("ThreadPriorityCheck") // Virtual threads have no time slices.
    void hold() throws IOException {
        while (answered(next())) {
            Thread.yield();
            connection.enter(received.isEmpty() ? Connection.Phase.IDLE : Connection.Phase.HEAD);
        }
    }

    /** {@return the next request; incomplete if the client has ended the stream} */
    private RequestHead next() throws IOException {
        RequestHead head = received.next();
        while (head instanceof RequestHead.Incomplete && received.fill(connection.in())) {
            connection.received();
            head = received.next();
        }
        return head;
    }

    /** Sends a reply; returns whether a further request may come. */
    private boolean answered(RequestHead head) throws IOException {
        return switch (head) {
            case RequestHead.Complete complete -> {
                RequestHead.Complete request = keepsAlive ? complete : complete.last();
                connection.enter(Connection.Phase.REPLY);
                try (HttpReply reply = answers.apply(request)) {
                    reply.sendTo(connection.out(), Optional.of(request));
                }
                yield request.keepsAlive();
            }
            case RequestHead.Refused(int status, String why) -> {
                connection.enter(Connection.Phase.REPLY);
                try (HttpReply reply = HttpReply.of(status, why)) {
                    reply.sendTo(connection.out(), Optional.empty());
                }
                yield false;
            }
            case RequestHead.Incomplete _ -> false;
        };
    }
}
