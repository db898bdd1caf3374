package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** A random history: what happens in a {@link Shop}, and what goes wrong with its API server meanwhile. */
final class PeerHistory implements AutoCloseable {
    private static final int STEPS = 60;
    private static final List<String> NODES = List.of("n1", "n2", "n3", "n4");
    private static final List<String> WEB = List.of("web-1", "web-2", "web-3", "web-4", "web-5", "web-6");
    private static final List<String> OTHERS = List.of("other-1", "other-2", "other-3");
    /** More than anybody writes who does not know that a backup was restored. */
    private static final int FEW = 20;

    /** In seconds: 90 of silence, 5 until that is looked at, 20 for an answer that does not come, 30 of pause, and lists. */
    private static final int NOTICED_WITHIN = 180;

    private static final Duration CALM = Duration.ofMinutes(25);

    private final Random random;
    private final PlayedTime time;
    private final Peer peer;
    private final Shop shop;
    private final List<String> steps = new ArrayList<>();
    private PlayedOperator operator;
    private Optional<PeerState.Backup> backup = Optional.empty();
    private int evicted;

    PeerHistory(long seed) {
        this.random = new Random(seed);
        this.time = new PlayedTime(seed);
        this.peer = new Peer(time, 1 + random.nextInt(40));
        peer.listsTake(Duration.ofMillis(random.nextInt(3) > 0 ? 0 : random.nextInt(8_000)));
        if (random.nextInt(3) == 0) {
            peer.refusesForgotten();
        }
        this.shop = new Shop(time, peer.state);
        NODES.forEach(this::nodeChanges);
        WEB.forEach(name -> shop.pod("shop", name, one(NODES), "web"));
        if (random.nextInt(4) == 0) {
            peer.sendsPagesOf(2);
        }
        this.operator = operator();
    }

    private PlayedOperator operator() {
        return new PlayedOperator(time, peer, shop).start();
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Plays it to its end, after which all is as it should be. */
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
        does("all is well", peer::well);
        pass(CALM);
        operator.seesAll();
        assertThat(operator.judge.broken()).as("what is still broken").isEmpty();
        evicted += operator.evicted().size();
    }

    private void does(String what, Runnable action) {
        steps.add(Duration.between(PlayedTime.START, time.instant()) + " " + what);
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
                does("lake is of team data: " + data, () -> shop.namespace("lake", "team", data ? "data" : "none"));
            }
            case 8 -> {
                String web = one(WEB);
                does(web + " changes", () -> webChanges(web));
            }
            case 9 -> {
                String web = one(WEB);
                String node = one(NODES);
                does(web + " is made anew on " + node, () -> {
                    shop.podGoes("shop", web);
                    shop.pod("shop", web, node, "web");
                });
            }
            case 10 -> does("n4 goes", () -> shop.nodeGoes("n4"));
            default -> does("a backup is made", () -> backup = Optional.of(peer.state.backup()));
        }
    }

    private void webChanges(String web) {
        if (shop.pod("shop", web).filter(pod -> !pod.terminating()).isPresent()) {
            shop.pod("shop", web, "", "web");
        }
    }

    private void nodeChanges(String name) {
        String disk = random.nextInt(3) > 0 ? "ssd" : "hdd";
        String zone = random.nextInt(3) > 0 ? "a" : "b";
        does(name + " has " + disk + " in zone " + zone, () -> shop.node(name, disk, zone));
    }

    private void otherComesOrGoes(String namespace, String app) {
        String name = one(OTHERS);
        if (shop.pod(namespace, name).isPresent() && random.nextBoolean()) {
            does(namespace + "/" + name + " goes", () -> shop.podGoes(namespace, name));
        } else {
            String node = one(NODES);
            does(namespace + "/" + name + " is " + app + " on " + node, () -> shop.pod(namespace, name, node, app));
        }
    }

    private void goesWrong() {
        switch (random.nextInt(13)) {
            case 0 -> does("connections are reset", peer::resets);
            case 1 -> withWatch("is reset", watch -> watch.breaks("reset"));
            case 2 -> withWatch("falls silent", PeerWatch::silences);
            case 3 -> does("all watches fall silent", () -> peer.watches().forEach(PeerWatch::silences));
            case 4 -> withWatch("lags", watch -> peer.lags(watch, Duration.ofMillis(random.nextInt(5_000))));
            case 5 -> withWatch("fails with 500", watch -> watch.fails(500));
            case 6 -> withWatch("fails with 410", watch -> watch.fails(410));
            case 7 -> withWatch("sends garbage", watch -> watch.spoils(garbage()));
            case 8 -> withWatch("is cut", watch -> watch.cuts(garbage()));
            case 9 ->
                does("the past is forgotten", () -> {
                    peer.state.forget();
                    peer.watches().forEach(PeerWatch::ends);
                });
            case 10, 11 -> {
                Fault fault = fault();
                does("requests meet " + fault, () -> peer.faults(fault));
                if (random.nextBoolean()) {
                    does("connections are reset", peer::resets);
                }
                pass(Duration.ofMillis(random.nextInt(random.nextInt(5) == 0 ? 600_000 : 10_000)));
                does("requests are answered again", peer::well);
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

    private void withWatch(String what, Consumer<PeerWatch> action) {
        List<PeerWatch> watches = peer.watches();
        if (!watches.isEmpty()) {
            PeerWatch watch = one(watches);
            does("the watch of " + watch.kind() + " " + what, () -> action.accept(watch));
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

    private Fault fault() {
        return switch (random.nextInt(8)) {
            case 0 -> new Fault.Down();
            case 1 -> new Fault.Mute();
            case 2 -> new Fault.Refuses(429, "slower", Duration.ofSeconds(random.nextInt(100)));
            case 3 -> Fault.Refuses.with(one(List.of(401, 403, 404, 410, 500, 503)), "no");
            case 4 -> new Fault.Page("<html>Sign in</html>");
            case 5 -> new Fault.Cut(random.nextDouble());
            case 6 -> new Fault.Breaks(random.nextDouble());
            default -> new Fault.Freezes(random.nextDouble());
        };
    }

    private void restarts() {
        does("the operator restarts", () -> {
            operator.close();
            evicted += operator.evicted().size();
            peer.anotherReader();
            pass(Duration.ZERO);
            operator = operator();
        });
    }

    private void restores(PeerState.Backup from) {
        // Less is written than was lost until all have noticed: who is passed before he asks cannot notice.
        if (!peer.wouldTakeBack(from, FEW)) {
            return;
        }
        does("the backup is restored", () -> peer.restores(from));
        if (random.nextBoolean()) {
            does("connections are reset", peer::resets);
        }
        if (random.nextBoolean()) {
            does("nobody listens", () -> peer.faults(new Fault.Down()));
            pass(Duration.ofMillis(random.nextInt(60_000)));
            does("requests are answered again", peer::well);
        }
        for (int second = 0; second < NOTICED_WITHIN && !allOfThisPast(); second++) {
            pass(Duration.ofSeconds(1));
        }
        assertThat(allOfThisPast()).as("noticed that a backup was restored").isTrue();
    }

    private boolean allOfThisPast() {
        return PeerState.KINDS.stream().allMatch(peer::isOfThisPast);
    }

    /** {@return how many pods were evicted} */
    int evicted() {
        return evicted;
    }

    /** {@return what happened, and what the operator made of it} */
    String story() {
        return String.join("\n", steps) + "\n\n" + String.join("\n", operator.history());
    }

    @Override
    public void close() {
        operator.close();
    }
}
