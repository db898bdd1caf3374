package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** A random history of changes in a {@link ShopCluster} and of faults of its API server. */
final class FaultHistory implements AutoCloseable {
    private static final int STEPS = 60;
    private static final List<String> NODES = List.of("n1", "n2", "n3", "n4");
    private static final List<String> WEB = List.of("web-1", "web-2", "web-3", "web-4", "web-5", "web-6");
    private static final List<String> OTHERS = List.of("other-1", "other-2", "other-3");
    /** More versions than all changes of a test add before the feeds have noticed the restore of a backup. */
    private static final int FEW = 20;

    /**
     * Seconds until the feeds have noticed the restore of a backup: 90 of silence, 5 until the check, 20 for an
     * unanswered request, 30 of back-off, and the time of lists.
     */
    private static final int NOTICED_WITHIN = 180;

    private static final Duration CALM = Duration.ofMinutes(25);

    private final Random random;
    private final SimulatedTime time;
    private final FakeApiServer fakeApiServer;
    private final ShopCluster shopCluster;
    private final List<String> steps = new ArrayList<>();
    private FeedHarness operator;
    private Optional<FakeServerState.Backup> backup = Optional.empty();
    private int evicted;

    FaultHistory(long seed) {
        this.random = new Random(seed);
        this.time = new SimulatedTime(seed);
        this.fakeApiServer = new FakeApiServer(time, 1 + random.nextInt(40));
        fakeApiServer.listsTake(Duration.ofMillis(random.nextInt(3) > 0 ? 0 : random.nextInt(8_000)));
        if (random.nextInt(3) == 0) {
            fakeApiServer.refusesForgotten();
        }
        this.shopCluster = new ShopCluster(time, fakeApiServer.state);
        NODES.forEach(this::nodeChanges);
        WEB.forEach(name -> shopCluster.pod("shop", name, one(NODES), "web"));
        if (random.nextInt(4) == 0) {
            fakeApiServer.sendsPagesOf(2);
        }
        this.operator = operator();
    }

    private FeedHarness operator() {
        return new FeedHarness(time, fakeApiServer, shopCluster).start();
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Plays the history to its end, and checks that no violation is left. */
    void play() {
        for (int i = 0; i < STEPS; i++) {
            if (random.nextInt(3) == 0) {
                goesWrong();
            } else {
                happens();
            }
            if (random.nextInt(4) > 0) {
                pass(Duration.ofMillis(random.nextInt(random.nextInt(10) == 0 ? 150_000 : 20_000)));
            }
        }
        does("all is well", fakeApiServer::well);
        pass(CALM);
        operator.seesAll();
        assertThat(operator.judge.broken()).as("remaining violations").isEmpty();
        evicted += operator.evicted().size();
    }

    private void does(String what, Runnable action) {
        steps.add(Duration.between(SimulatedTime.START, time.instant()) + " " + what);
        action.run();
    }

    private void pass(Duration length) {
        operator.pass(length);
    }

    private void happens() {
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> nodeChanges(one(NODES));
            case 3 -> {
                String node = one(NODES);
                nodeChanges(node);
                nodeChanges(node);
            }
            case 4, 5 -> otherComesOrGoes("shop", one(List.of("batch", "cache", "batch", "none")));
            case 6 -> otherComesOrGoes("lake", "lake");
            case 7 -> {
                boolean data = random.nextBoolean();
                does(
                        "lake is of team data: " + data,
                        () -> shopCluster.namespace("lake", "team", data ? "data" : "none"));
            }
            case 8 -> {
                String web = one(WEB);
                does(web + " changes", () -> webChanges(web));
            }
            case 9 -> {
                String web = one(WEB);
                String node = one(NODES);
                does(web + " is created again on " + node, () -> {
                    shopCluster.podGoes("shop", web);
                    shopCluster.pod("shop", web, node, "web");
                });
            }
            case 10 -> does("n4 goes", () -> shopCluster.nodeGoes("n4"));
            default -> does("a backup is made", () -> backup = Optional.of(fakeApiServer.state.backup()));
        }
    }

    private void webChanges(String web) {
        if (shopCluster.pod("shop", web).filter(pod -> !pod.terminating()).isPresent()) {
            shopCluster.pod("shop", web, "", "web");
        }
    }

    private void nodeChanges(String name) {
        String disk = random.nextInt(3) > 0 ? "ssd" : "hdd";
        String zone = random.nextInt(3) > 0 ? "a" : "b";
        does(name + " has " + disk + " in zone " + zone, () -> shopCluster.node(name, disk, zone));
    }

    private void otherComesOrGoes(String namespace, String app) {
        String name = one(OTHERS);
        if (shopCluster.pod(namespace, name).isPresent() && random.nextBoolean()) {
            does(namespace + "/" + name + " goes", () -> shopCluster.podGoes(namespace, name));
        } else {
            String node = one(NODES);
            does(
                    namespace + "/" + name + " is " + app + " on " + node,
                    () -> shopCluster.pod(namespace, name, node, app));
        }
    }

    private void goesWrong() {
        switch (random.nextInt(13)) {
            case 0 -> does("connections are reset", fakeApiServer::resets);
            case 1 -> withWatch("is reset", watch -> watch.breaks("reset"));
            case 2 -> withWatch("falls silent", FakeWatch::silences);
            case 3 ->
                does("all watches fall silent", () -> fakeApiServer.watches().forEach(FakeWatch::silences));
            case 4 -> withWatch("lags", watch -> fakeApiServer.lags(watch, Duration.ofMillis(random.nextInt(5_000))));
            case 5 -> withWatch("fails with 500", watch -> watch.fails(500));
            case 6 -> withWatch("fails with 410", watch -> watch.fails(410));
            case 7 -> withWatch("sends garbage", watch -> watch.spoils(garbage()));
            case 8 -> withWatch("is cut", watch -> watch.cuts(garbage()));
            case 9 ->
                does("the past is forgotten", () -> {
                    fakeApiServer.state.forget();
                    fakeApiServer.watches().forEach(FakeWatch::ends);
                });
            case 10, 11 -> {
                AnswerFault answerFault = answerFault();
                does("requests meet " + answerFault, () -> fakeApiServer.faults(answerFault));
                if (random.nextBoolean()) {
                    does("connections are reset", fakeApiServer::resets);
                }
                pass(Duration.ofMillis(random.nextInt(random.nextInt(5) == 0 ? 600_000 : 10_000)));
                does("requests are answered again", fakeApiServer::well);
            }
            default -> {
                if (random.nextInt(3) > 0) {
                    restarts();
                } else {
                    backup.ifPresent(this::restores);
                }
            }
        }
    }

    private void withWatch(String what, Consumer<FakeWatch> action) {
        List<FakeWatch> watches = fakeApiServer.watches();
        if (!watches.isEmpty()) {
            FakeWatch watch = one(watches);
            does("the watch of " + watch.watchedKind() + " " + what, () -> action.accept(watch));
        }
    }

    private byte[] garbage() {
        byte[] bytes = new byte[1 + random.nextInt(40)];
        random.nextBytes(bytes);
        if (random.nextBoolean() && bytes.length > 3) {
            bytes[0] = 0;
            bytes[1] = 0;
            bytes[2] = 0;
        }
        return bytes;
    }

    private AnswerFault answerFault() {
        return switch (random.nextInt(8)) {
            case 0 -> new AnswerFault.Down();
            case 1 -> new AnswerFault.Mute();
            case 2 -> new AnswerFault.Refuses(429, "slower", Duration.ofSeconds(random.nextInt(100)));
            case 3 -> AnswerFault.Refuses.with(one(List.of(401, 403, 404, 410, 500, 503)), "no");
            case 4 -> new AnswerFault.Page("<html>Sign in</html>");
            case 5 -> new AnswerFault.Cut(random.nextDouble());
            case 6 -> new AnswerFault.Breaks(random.nextDouble());
            default -> new AnswerFault.Freezes(random.nextDouble());
        };
    }

    private void restarts() {
        does("the operator restarts", () -> {
            operator.close();
            evicted += operator.evicted().size();
            fakeApiServer.anotherReader();
            pass(Duration.ZERO);
            operator = operator();
        });
    }

    private void restores(FakeServerState.Backup from) {
        // A feed cannot notice the restore of a backup once the server's version has passed its own. So until all feeds
        // have noticed, fewer versions are added than were lost.
        if (!fakeApiServer.wouldTakeBack(from, FEW)) {
            return;
        }
        does("the backup is restored", () -> fakeApiServer.restores(from));
        if (random.nextBoolean()) {
            does("connections are reset", fakeApiServer::resets);
        }
        if (random.nextBoolean()) {
            does("connections are refused", () -> fakeApiServer.faults(new AnswerFault.Down()));
            pass(Duration.ofMillis(random.nextInt(60_000)));
            does("requests are answered again", fakeApiServer::well);
        }
        for (int second = 0; second < NOTICED_WITHIN && !allOfThisPast(); second++) {
            pass(Duration.ofSeconds(1));
        }
        assertThat(allOfThisPast())
                .as("all feeds have noticed the restore of the backup")
                .isTrue();
    }

    private boolean allOfThisPast() {
        return FakeServerState.KINDS.stream().allMatch(fakeApiServer::isOfThisPast);
    }

    /** {@return the number of evictions} */
    int evicted() {
        return evicted;
    }

    /** {@return the steps of the history, then the events and effects of the operator} */
    String story() {
        return String.join("\n", steps) + "\n\n" + String.join("\n", operator.history());
    }

    @Override
    public void close() {
        operator.close();
    }
}
