package dev.holdfast.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.operator.observe.WatchServer.Reply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WayByVersionTest {
    private volatile Reply answer = new Reply.Says(500, "none yet");
    private final WatchServer server = new WatchServer(_ -> answer);
    private final Requests requests = new Requests(server.connection());
    private final WayByVersion ways = new WayByVersion(requests);

    @AfterEach
    void close() {
        requests.close();
        server.close();
    }

    private void says(String major, String minor, String name) {
        answer = new Reply.Says(
                200, "{\"major\":\"" + major + "\",\"minor\":\"" + minor + "\",\"gitVersion\":\"" + name + "\"}");
    }

    @ParameterizedTest
    @CsvSource({"1, 37, 0", "1, 33, 0", "1, 33+, 0", "2, 0, 0", "1, 32, 2000", "1, 32+, 2000"})
    void anOldServerIsAskedForPages(String major, String minor, int page) throws InterruptedException {
        says(major, minor, "v" + major + "." + minor + ".1");

        assertThat(ways.next()).isEqualTo(new ListWay(requests, page));
        assertThat(server.received().getFirst().target()).isEqualTo("/version");
    }

    @ParameterizedTest
    @CsvSource({"1, 31+, v1.31.9-eks-1", "1, 5, v1.5.2", "0, 40, v0.40"})
    void oneThatIsTooOldIsAskedForNothing(String major, String minor, String name) {
        says(major, minor, name);

        assertThatExceptionOfType(WayByVersion.TooOld.class)
                .isThrownBy(ways::next)
                .extracting(WayByVersion.TooOld::what)
                .isEqualTo("the API server is " + name
                        + ", and Holdfast needs Kubernetes 1.32 or newer: upgrade the cluster");
    }

    @Test
    void anUpgradeIsSeenWithTheNextList() throws InterruptedException {
        says("1", "32", "v1.32.0");
        assertThat(ways.next().page()).isEqualTo(2000);
        says("1", "33", "v1.33.0");
        assertThat(ways.next().page()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>please log in</html>", "{}", "[]", "{\"major\":\"x\",\"minor\":\"\"}", ""})
    void oneThatDoesNotSayIsAskedForPages(String body) throws InterruptedException {
        answer = new Reply.Says(200, body);

        assertThat(ways.next().page()).isEqualTo(2000);
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404})
    void oneThatMayNotSayIsAskedForPages(int code) throws InterruptedException {
        answer = new Reply.Says(code, "no");

        assertThat(ways.next().page()).isEqualTo(2000);
    }

    /** Before it knows any rights it refuses everything. */
    @ParameterizedTest
    @ValueSource(ints = {403, 404, 200})
    void oneThatHasJustBegunAndDoesNotSayYetIsTakenForWhatItWas(int code) throws InterruptedException {
        says("1", "37", "v1.37.1");
        assertThat(ways.next().page()).isZero();
        answer = new Reply.Says(code, "no");
        assertThat(ways.next().page()).isZero();
        says("1", "32", "v1.32.0");
        assertThat(ways.next().page()).isEqualTo(2000);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 429, 500, 503})
    void whatElseGoesWrongIsToldAsItIs(int code) {
        answer = new Reply.Says(code, "later");

        assertThatExceptionOfType(Refused.class)
                .isThrownBy(ways::next)
                .satisfies(refused -> assertThat(refused.getCode()).isEqualTo(code));
    }
}
