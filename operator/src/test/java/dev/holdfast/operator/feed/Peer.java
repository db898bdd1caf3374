package dev.holdfast.operator.feed;

import static dev.holdfast.operator.decode.Message.message;

import dev.holdfast.operator.api.Answer;
import dev.holdfast.operator.api.ApiServer;
import dev.holdfast.operator.api.Refused;
import dev.holdfast.operator.decode.Bodies;
import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.feed.PeerState.Change;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An API server in memory, with what may go wrong with one. Its lists and watches are the bytes that a real one sends, and
 * it knows what its reader has been told.
 */
final class Peer implements ApiServer {
    /** In which a body comes that trickles. */
    private static final int PARTS = 20;

    static final Duration BOOKMARKS_EACH = Duration.ofMinutes(1);

    /** So many seconds before the end of a watch. */
    private static final int LAST_BOOKMARK_BEFORE = 2;

    private static final Pattern VERSION = Pattern.compile("[?&]resourceVersion=([0-9]+)");
    private static final Pattern LIMIT = Pattern.compile("[?&]limit=([0-9]+)");
    private static final Pattern CONTINUE = Pattern.compile("[?&]continue=([0-9]+)");
    private static final Pattern LENGTH = Pattern.compile("[?&]timeoutSeconds=([0-9]+)");

    final PeerState state;
    private final PlayedTime time;
    private final List<PeerWatch> watches = new ArrayList<>();
    private final Map<Kind, List<PeerAnswer>> lists = new HashMap<>();
    private final List<Asking> asked = new ArrayList<>();
    private final Map<Kind, List<Change>> changes = new HashMap<>();
    private final Map<Kind, Long> told = new HashMap<>();
    private final Map<Kind, Integer> pastTold = new HashMap<>();
    private final Map<Long, Rest> rests = new HashMap<>();
    private Function<Asking, Optional<Fault>> faults = _ -> Optional.empty();
    private int pageSize = Integer.MAX_VALUE;
    private boolean refusesForgotten;
    private int mostListsAtOnce;
    private Duration listsTake = Duration.ZERO;
    private Duration longestLag = Duration.ZERO;
    private int past;
    private Instant pastSince = PlayedTime.START;

    enum Verb {
        LIST,
        WATCH,
        NEWEST,

        /** Of a pod, a node and partners by their names. */
        READ
    }

    /** What is left of a list of which a page was asked for, as it was then. */
    private record Rest(long version, List<PeerObject> objects) {}

    /** A request that was made. */
    record Asking(Instant at, Kind kind, Verb verb, long from) {}

    Peer(PlayedTime time, int memory) {
        this.time = time;
        this.state = new PeerState(time, memory, this::changed);
    }

    /** From now on requests meet these faults. */
    void faults(Function<Asking, Optional<Fault>> others) {
        faults = others;
    }

    /** From now on every request meets this fault. */
    void faults(Fault fault) {
        faults = _ -> Optional.of(fault);
    }

    /** From now on requests meet no faults. */
    void well() {
        faults = _ -> Optional.empty();
    }

    /** From now on lists come in pages of this size, though the reader asks for no pages. */
    void sendsPagesOf(int objects) {
        pageSize = objects;
    }

    /** Lists take so long from now on. */
    void listsTake(Duration length) {
        listsTake = length;
    }

    /** Tells of forgotten changes by a status from now on, and no more by an ERROR frame within a 200. */
    void refusesForgotten() {
        refusesForgotten = true;
    }

    List<Asking> asked() {
        return asked;
    }

    List<Asking> asked(Kind kind, Verb verb) {
        return asked.stream()
                .filter(it -> it.kind().equals(kind) && it.verb() == verb)
                .toList();
    }

    /** {@return the watches that are open, of all kinds} */
    List<PeerWatch> watches() {
        watches.removeIf(PeerWatch::over);
        return List.copyOf(watches);
    }

    List<PeerWatch> watches(Kind kind) {
        return watches().stream().filter(it -> it.kind().equals(kind)).toList();
    }

    /** Of a kind everything comes so much later, in the watch that is open. */
    void lags(PeerWatch watch, Duration lag) {
        watch.lags(lag);
        longestLag = lag.compareTo(longestLag) > 0 ? lag : longestLag;
    }

    /** {@return how late a watch has ever told something at the most, which nobody can see} */
    Duration longestLag() {
        return longestLag;
    }

    /** Breaks all connections. */
    void resets() {
        watches().forEach(watch -> watch.breaks("reset"));
        breakLists();
    }

    private void breakLists() {
        lists.values().forEach(ofKind -> ofKind.forEach(list -> list.breaks("reset")));
    }

    /** {@return how many lists of one kind were under way at once, at the most} */
    int mostListsAtOnce() {
        return mostListsAtOnce;
    }

    /** A backup is restored, and the API server begins anew with it. Who watches does not hear of it. */
    void restores(PeerState.Backup backup) {
        watches().forEach(PeerWatch::silences);
        breakLists();
        state.restore(backup);
        changes.clear();
        rests.clear();
        // Who has been told nothing that is lost may go on.
        List<Kind> untouched = PeerState.KINDS.stream()
                .filter(kind -> isOfThisPast(kind) && told.getOrDefault(kind, 0L) <= backup.version())
                .toList();
        past++;
        pastSince = time.instant();
        untouched.forEach(kind -> pastTold.put(kind, past));
    }

    /** Somebody else reads from now on, who knows nothing yet. */
    void anotherReader() {
        told.clear();
        pastTold.clear();
    }

    /** {@return since when its reader has not been told all of a kind; empty when he has} */
    Optional<Instant> behindSince(Kind kind) {
        Long version = told.get(kind);
        if (version == null) {
            return Optional.of(Instant.EPOCH);
        }
        if (!isOfThisPast(kind)) {
            return Optional.of(pastSince);
        }
        return changes.getOrDefault(kind, List.of()).stream()
                .filter(it -> it.version() > version)
                .findFirst()
                .map(Change::at);
    }

    /** {@return whether a backup, were it restored now, would take so many versions back from all that its reader knows} */
    boolean wouldTakeBack(PeerState.Backup backup, long versions) {
        return told.values().stream().allMatch(version -> version - backup.version() > versions);
    }

    /** {@return whether its reader has listed a kind since the last backup was restored} */
    boolean isOfThisPast(Kind kind) {
        return pastTold.getOrDefault(kind, -1) == past;
    }

    private void tells(Kind kind, long version) {
        told.merge(kind, version, Math::max);
    }

    private void changed(Change change) {
        Kind kind = change.object().kind();
        changes.computeIfAbsent(kind, _ -> new ArrayList<>()).add(change);
        watches(kind).forEach(watch -> watch.changed(change));
    }

    @Override
    public Answer get(String path, String accept, Duration timeout, Duration patience) throws InterruptedException {
        Kind kind = kindIn(path);
        boolean one = number(LIMIT, path) == 1;
        Verb verb = path.contains("watch=true") ? Verb.WATCH : one ? Verb.NEWEST : Verb.LIST;
        Asking asking = new Asking(time.instant(), kind, verb, number(VERSION, path));
        asked.add(asking);
        Optional<Fault> fault = faults.apply(asking);
        if (fault.isPresent()) {
            meets(fault.get(), timeout);
        }
        PeerAnswer answer = new PeerAnswer(time, patience);
        switch (verb) {
            case LIST -> list(answer, kind, path, fault);
            case NEWEST -> answer.send(body(state.all(kind).stream().limit(1).toList(), "more"));
            case WATCH -> watch(answer, asking, number(LENGTH, path), fault);
            case READ -> throw new IllegalStateException("made otherwise");
        }
        if (verb == Verb.NEWEST) {
            answer.end();
        }
        return answer;
    }

    private static Kind kindIn(String path) {
        return PeerState.KINDS.stream()
                .filter(it -> path.startsWith("/api/v1/" + it.resource()))
                .findFirst()
                .orElseThrow();
    }

    /** {@return the same for somebody else, who only lists and meets no faults} */
    ApiServer toSomebodyElse() {
        return (path, _, _, patience) -> {
            PeerAnswer answer = new PeerAnswer(time, patience);
            answer.send(body(state.all(kindIn(path)), ""));
            answer.end();
            return answer;
        };
    }

    /** {@return pod, node and partners as they are now} */
    Event read(Effect.Confirm confirm) {
        Asking asking = new Asking(time.instant(), Kind.PODS, Verb.READ, 0);
        if (faults.apply(asking).isPresent()) {
            return new Event.ConfirmFailed(confirm.planId(), Reason.API_ERROR, "no answer");
        }
        List<Pod> pods = List.copyOf(state.truth().pods());
        return new Event.Confirmed(
                confirm.planId(),
                pods.stream().filter(pod -> pod.name().equals(confirm.pod())).findFirst(),
                state.truth().node(confirm.node()),
                pods.stream()
                        .filter(pod -> confirm.partners().contains(pod.name()))
                        .toList());
    }

    private static long number(Pattern pattern, String path) {
        Matcher found = pattern.matcher(path);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    /** Fails as the fault does, if it comes in place of an answer. */
    private void meets(Fault fault, Duration timeout) throws InterruptedException {
        switch (fault) {
            case Fault.Down _ -> throw new UncheckedIOException(new IOException("Connection refused"));
            case Fault.Mute _ -> {
                time.sleep(timeout);
                throw new UncheckedIOException(new IOException("timeout"));
            }
            case Fault.Refuses(int code, String message, Duration retryAfter) ->
                throw Refused.byServer(code, message, retryAfter);
            case Fault.Page _, Fault.Cut _, Fault.Breaks _, Fault.Freezes _, Fault.Trickles _ -> {
                // It comes within the answer.
            }
        }
    }

    private byte[] body(Collection<PeerObject> objects, String more) {
        return body(objects, state.version(), more);
    }

    private static byte[] body(Collection<PeerObject> objects, long version, String more) {
        Message metadata = message().text(2, Long.toString(version)).text(3, more);
        Message list = message().part(1, metadata);
        objects.forEach(object -> list.part(2, object.wire()));
        return Bodies.envelope("ObjectList", list);
    }

    private void list(PeerAnswer answer, Kind kind, String path, Optional<Fault> fault) {
        Rest asked = asked(kind, path);
        boolean all = asked.objects().size() <= pageSize;
        List<PeerObject> page = all ? asked.objects() : asked.objects().subList(0, pageSize);
        byte[] body = body(page, asked.version(), all ? "" : Long.toString(keep(asked, page.size())));
        List<PeerAnswer> ofKind = lists.computeIfAbsent(kind, _ -> new ArrayList<>());
        ofKind.removeIf(PeerAnswer::over);
        ofKind.add(answer);
        mostListsAtOnce = Math.max(mostListsAtOnce, ofKind.size());
        switch (fault.orElse(new Fault.Cut(1))) {
            case Fault.Page(String html) -> {
                answer.send(html.getBytes(StandardCharsets.UTF_8));
                answer.end();
            }
            case Fault.Cut(double share)
            when share < 1 -> {
                answer.send(part(body, share));
                answer.end();
            }
            case Fault.Cut _ -> {
                answer.send(part(body, 0.5));
                byte[] rest = Arrays.copyOfRange(body, part(body, 0.5).length, body.length);
                time.after(listsTake, () -> lastOf(answer, rest, all ? Optional.of(kind) : Optional.empty(), asked));
            }
            case Fault.Breaks(double share) -> {
                answer.send(part(body, share));
                answer.breaks("reset");
            }
            case Fault.Freezes(double share) -> answer.send(part(body, share));
            case Fault.Trickles(Duration length) -> trickle(answer, body, length);
            case Fault.Down _, Fault.Mute _, Fault.Refuses _ -> throw new IllegalStateException("met before");
        }
    }

    /** {@return what the list, or the page of it, begins with} */
    private Rest asked(Kind kind, String path) {
        Matcher token = CONTINUE.matcher(path);
        if (!token.find()) {
            return new Rest(state.version(), List.copyOf(state.all(kind)));
        }
        Optional<Rest> rest = Optional.ofNullable(rests.remove(Long.valueOf(token.group(1))));
        return rest.filter(it -> state.since(kind, it.version()).isPresent())
                .orElseThrow(() -> Refused.byServer(410, "The provided continue parameter is too old", Duration.ZERO));
    }

    private long keep(Rest asked, int told) {
        long token = asked().size();
        rests.put(
                token,
                new Rest(
                        asked.version(),
                        asked.objects().subList(told, asked.objects().size())));
        return token;
    }

    /** @param told the kind of which all has been told by it */
    private void lastOf(PeerAnswer answer, byte[] rest, Optional<Kind> told, Rest asked) {
        if (!answer.over()) {
            answer.send(rest);
            answer.end();
            told.ifPresent(kind -> {
                this.told.put(kind, asked.version());
                pastTold.put(kind, past);
            });
        }
    }

    private void trickle(PeerAnswer answer, byte[] body, Duration length) {
        for (int i = 1; i <= PARTS; i++) {
            byte[] next = Arrays.copyOfRange(body, body.length * (i - 1) / PARTS, body.length * i / PARTS);
            time.after(length.multipliedBy(i).dividedBy(PARTS), () -> answer.send(next));
        }
        time.after(length, answer::end);
    }

    private static byte[] part(byte[] body, double share) {
        return Arrays.copyOf(body, (int) (body.length * share));
    }

    private void watch(PeerAnswer answer, Asking asking, long seconds, Optional<Fault> fault) {
        Kind kind = asking.kind();
        if (fault.isPresent() && fault.get() instanceof Fault.Page(String html)) {
            answer.send(html.getBytes(StandardCharsets.UTF_8));
            answer.end();
            return;
        }
        Optional<List<Change>> missed = state.since(kind, asking.from());
        if (missed.isEmpty() && refusesForgotten) {
            throw Refused.byServer(410, "too old resource version", Duration.ZERO);
        }
        PeerWatch watch = new PeerWatch(time, kind, asking.from(), answer, version -> tells(kind, version));
        watches.add(watch);
        if (fault.isPresent() && fault.get() instanceof Fault.Freezes) {
            watch.silences();
        }
        missed.ifPresentOrElse(all -> all.forEach(watch::changed), () -> watch.fails(410));
        time.after(Duration.ofSeconds(seconds), watch::ends);
        time.after(Duration.ofSeconds(Math.max(0, seconds - LAST_BOOKMARK_BEFORE)), () -> bookmark(watch));
        bookmarks(watch);
    }

    /** Of a kind that has not changed since the API server began there are none, as its etcd does not tell of progress. */
    private void bookmarks(PeerWatch watch) {
        time.after(BOOKMARKS_EACH, () -> {
            if (!watch.over()) {
                bookmark(watch);
                bookmarks(watch);
            }
        });
    }

    private void bookmark(PeerWatch watch) {
        if (!watch.over() && state.hasChanged(watch.kind())) {
            watch.bookmark(state.version());
        }
    }
}
