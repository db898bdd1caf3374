package dev.holdfast.operator.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.serve.http.Connection.Phase;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whose connection goes if there are too many. A port has four at most. */
class OpenConnectionsTest {
    private final ScheduledExecutorService timer = new ScheduledThreadPoolExecutor(1);
    private final OpenConnections open = new OpenConnections(4);

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    /** A connection from an address whose last part is this number. */
    private Connection from(int lastPart) {
        Socket socket = new Socket() {
            @Override
            public InetAddress getInetAddress() {
                try {
                    return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) lastPart});
                } catch (UnknownHostException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        return new Connection(socket, ConnectionLimits.plain(), timer, open::remove);
    }

    private Connection added(int lastPart) {
        Connection connection = from(lastPart);
        assertThat(open.add(connection)).isEmpty();
        return connection;
    }

    private Connection answered(int lastPart) {
        Connection connection = added(lastPart);
        connection.enter(Phase.REPLY);
        return connection;
    }

    @Test
    void theOldestOfTheAddressWithMostConnectionsGoes() {
        Connection probe = added(1);
        Connection oldest = added(2);
        Connection second = added(2);
        Connection third = added(2);
        Connection further = from(1);

        assertThat(open.add(further)).contains(oldest);

        assertThat(open.all()).containsExactly(probe, second, third, further);
    }

    @Test
    void ofAddressesWithEquallyManyTheOldestGoes() {
        Connection oldest = added(1);
        List<Connection> others = List.of(added(2), added(3), added(4));

        assertThat(open.add(from(5))).contains(oldest);
        assertThat(open.all()).hasSize(4).containsAll(others);
    }

    @Test
    void connectionsThatAreBeingAnsweredKeepNoOtherAddressOut() {
        Connection oldest = answered(2);
        answered(2);
        answered(2);
        added(1);

        assertThat(open.add(from(2))).contains(oldest);
    }

    @Test
    void ofTheAddressWithMostOneThatIsNotBeingAnsweredGoesFirst() {
        answered(2);
        Connection waiting = added(2);
        answered(2);
        added(1);

        assertThat(open.add(from(1))).contains(waiting);
    }

    @Test
    void ifAllAreBeingAnsweredTheAddressWithMostLosesItsOldest() {
        answered(1);
        Connection oldest = answered(2);
        answered(2);
        answered(2);

        assertThat(open.add(from(3))).contains(oldest);
    }

    @Test
    void connectionsThatWereRemovedDoNotCount() {
        List<Connection> gone = List.of(added(2), added(2), added(2));
        gone.forEach(open::remove);
        gone.forEach(open::remove);
        Connection one = added(1);
        added(2);
        added(1);
        added(3);

        assertThat(open.add(from(4))).contains(one);
    }
}
