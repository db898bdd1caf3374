package dev.holdfast.operator.feed;

import static dev.holdfast.operator.decode.Message.message;

import dev.holdfast.operator.api.ApiRefusal;
import dev.holdfast.operator.api.ApiServer;
import dev.holdfast.operator.api.StreamedResponse;
import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.RecordedBodies;
import dev.holdfast.operator.feed.FakeServerState.Change;
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
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * In-memory API server with injectable faults. Its lists and watches have the bytes of a real one. It records what it
 * has sent to its client, the operator under test.
 */
final class FakeApiServer implements ApiServer {
    /** The number of parts of a body that trickles. */
    private static final int PARTS = 20;

    static final Duration BOOKMARKS_EACH = Duration.ofMinutes(1);

    /** Seconds between the last bookmark and the end of a watch. */
    private static final int LAST_BOOKMARK_BEFORE = 2;

    private static final Pattern VERSION = Pattern.compile("[?&]resourceVersion=([0-9]+)");
    private static final Pattern LIMIT = Pattern.compile("[?&]limit=([0-9]+)");
    private static final Pattern CONTINUE = Pattern.compile("[?&]continue=([0-9]+)");
    private static final Pattern LENGTH = Pattern.compile("[?&]timeoutSeconds=([0-9]+)");

    final FakeServerState state;
    private final SimulatedTime time;
    private final List<FakeWatch> watches = new ArrayList<>();
    private final Map<WatchedKind, List<FakeResponse>> lists = new HashMap<>();
    private final List<Asking> asked = new ArrayList<>();
    private final Map<WatchedKind, List<Change>> changes = new HashMap<>();
    private final Map<WatchedKind, Long> told = new HashMap<>();
    private final Map<WatchedKind, Integer> pastTold = new HashMap<>();
    private final Map<Long, Rest> rests = new HashMap<>();
    private Function<Asking, Optional<AnswerFault>> answerFaults = _ -> Optional.empty();
    private int pageSize = Integer.MAX_VALUE;
    private boolean refusesForgotten;
    private int mostListsAtOnce;
    private Duration listsTake = Duration.ZERO;
    private Duration longestLag = Duration.ZERO;
    private int past;
    private Instant pastSince = SimulatedTime.START;

    enum Verb {
        LIST,
        WATCH,
        NEWEST,

        /** GET of a pod, a node and partners by name. */
        READ
    }

    /** The objects of a paged list that are not sent yet, as of the list's first page. */
    private record Rest(long version, List<FakeObject> objects) {}

    /** A received request. */
    record Asking(Instant at, WatchedKind watchedKind, Verb verb, long from) {}

    FakeApiServer(SimulatedTime time, int memory) {
        this.time = time;
        this.state = new FakeServerState(time, memory, this::changed);
    }

    /** From now on these faults apply to requests; empty means no fault. */
    void faults(Function<Asking, Optional<AnswerFault>> others) {
        answerFaults = others;
    }

    /** From now on this fault applies to every request. */
    void faults(AnswerFault answerFault) {
        answerFaults = _ -> Optional.of(answerFault);
    }

    /** From now on no fault applies. */
    void well() {
        answerFaults = _ -> Optional.empty();
    }

    /** From now on the server sends lists in pages of this size, although the client requests no pages. */
    void sendsPagesOf(int objects) {
        pageSize = objects;
    }

    /** From now on each list takes this long. */
    void listsTake(Duration length) {
        listsTake = length;
    }

    /**
     * From now on a watch from a version that is too old gets the HTTP status 410, and not status 200 with an ERROR
     * event.
     */
    void refusesForgotten() {
        refusesForgotten = true;
    }

    List<Asking> asked() {
        return asked;
    }

    List<Asking> asked(WatchedKind watchedKind, Verb verb) {
        return asked.stream()
                .filter(it -> it.watchedKind().equals(watchedKind) && it.verb() == verb)
                .toList();
    }

    /** {@return the open watches of all kinds} */
    List<FakeWatch> watches() {
        watches.removeIf(FakeWatch::over);
        return List.copyOf(watches);
    }

    List<FakeWatch> watches(WatchedKind watchedKind) {
        return watches().stream()
                .filter(it -> it.watchedKind().equals(watchedKind))
                .toList();
    }

    /** Delays all events of an open watch. */
    void lags(FakeWatch watch, Duration lag) {
        watch.lags(lag);
        longestLag = lag.compareTo(longestLag) > 0 ? lag : longestLag;
    }

    /** {@return the longest delay of the events of any watch, which a client cannot notice} */
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

    /** {@return the largest number of concurrent lists of one kind} */
    int mostListsAtOnce() {
        return mostListsAtOnce;
    }

    /** Restores a backup. The API server restarts with its state, and open watches get no notice. */
    void restores(FakeServerState.Backup backup) {
        watches().forEach(FakeWatch::silences);
        breakLists();
        state.restore(backup);
        changes.clear();
        rests.clear();
        // A client that has received only changes that the backup contains may continue.
        List<WatchedKind> untouched = FakeServerState.KINDS.stream()
                .filter(watchedKind ->
                        isOfThisPast(watchedKind) && told.getOrDefault(watchedKind, 0L) <= backup.version())
                .toList();
        past++;
        pastSince = time.instant();
        untouched.forEach(watchedKind -> pastTold.put(watchedKind, past));
    }

    /** From now on the client is a new one, which has received nothing yet. */
    void anotherReader() {
        told.clear();
        pastTold.clear();
    }

    /** {@return since when the client has missed changes of a kind; empty if it has received all} */
    Optional<Instant> behindSince(WatchedKind watchedKind) {
        Long version = told.get(watchedKind);
        if (version == null) {
            return Optional.of(Instant.EPOCH);
        }
        if (!isOfThisPast(watchedKind)) {
            return Optional.of(pastSince);
        }
        return changes.getOrDefault(watchedKind, List.of()).stream()
                .filter(it -> it.version() > version)
                .findFirst()
                .map(Change::at);
    }

    /**
     * {@return whether restoring this backup now would undo more than this number of versions that the client has seen,
     * for each kind}
     */
    boolean wouldTakeBack(FakeServerState.Backup backup, long versions) {
        return told.values().stream().allMatch(version -> version - backup.version() > versions);
    }

    /** {@return whether the client has listed a kind since the last restore of a backup} */
    boolean isOfThisPast(WatchedKind watchedKind) {
        return pastTold.getOrDefault(watchedKind, -1) == past;
    }

    private void tells(WatchedKind watchedKind, long version) {
        told.merge(watchedKind, version, Math::max);
    }

    private void changed(Change change) {
        WatchedKind watchedKind = change.object().watchedKind();
        changes.computeIfAbsent(watchedKind, _ -> new ArrayList<>()).add(change);
        watches(watchedKind).forEach(watch -> watch.changed(change));
    }

    @Override
    public StreamedResponse get(String path, String accept, Duration timeout, Duration patience)
            throws InterruptedException {
        WatchedKind watchedKind = kindIn(path);
        boolean one = number(LIMIT, path) == 1;
        Verb verb = path.contains("watch=true") ? Verb.WATCH : one ? Verb.NEWEST : Verb.LIST;
        Asking asking = new Asking(time.instant(), watchedKind, verb, number(VERSION, path));
        asked.add(asking);
        Optional<AnswerFault> answerFault = answerFaults.apply(asking);
        if (answerFault.isPresent()) {
            meets(answerFault.get(), timeout);
        }
        FakeResponse answer = new FakeResponse(time, patience);
        switch (verb) {
            case LIST -> list(answer, watchedKind, path, answerFault);
            case NEWEST ->
                answer.send(body(state.all(watchedKind).stream().limit(1).toList(), "more"));
            case WATCH -> watch(answer, asking, number(LENGTH, path), answerFault);
            case READ -> throw new IllegalStateException("READ does not use get");
        }
        if (verb == Verb.NEWEST) {
            answer.end();
        }
        return answer;
    }

    private static WatchedKind kindIn(String path) {
        return FakeServerState.KINDS.stream()
                .filter(it -> path.startsWith("/api/v1/" + it.resource()))
                .findFirst()
                .orElseThrow();
    }

    /** {@return the same API server for a second client, which only lists, gets no faults and is not recorded} */
    ApiServer toAnotherClient() {
        return (path, _, _, patience) -> {
            FakeResponse answer = new FakeResponse(time, patience);
            answer.send(body(state.all(kindIn(path)), ""));
            answer.end();
            return answer;
        };
    }

    /** {@return the result of reading the pod, its node and its partners now} */
    Event read(Effect.Confirm confirm) {
        Asking asking = new Asking(time.instant(), WatchedKind.PODS, Verb.READ, 0);
        if (answerFaults.apply(asking).isPresent()) {
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

    /** Throws the error if the fault replaces the whole response. */
    private void meets(AnswerFault answerFault, Duration timeout) throws InterruptedException {
        switch (answerFault) {
            case AnswerFault.Down _ -> throw new UncheckedIOException(new IOException("Connection refused"));
            case AnswerFault.Mute _ -> {
                time.sleep(timeout);
                throw new UncheckedIOException(new IOException("timeout"));
            }
            case AnswerFault.Delays(Duration length) -> time.sleep(length);
            case AnswerFault.Refuses(int code, String message, Duration retryAfter) ->
                throw ApiRefusal.byServer(code, message, retryAfter);
            case AnswerFault.Page _,
                    AnswerFault.Sends _,
                    AnswerFault.Cut _,
                    AnswerFault.Breaks _,
                    AnswerFault.Freezes _,
                    AnswerFault.Trickles _ -> {
                // This fault changes only the body.
            }
        }
    }

    private byte[] body(Collection<FakeObject> objects, String more) {
        return body(objects, state.version(), more);
    }

    private static byte[] body(Collection<FakeObject> objects, long version, String more) {
        Message metadata = message().text(2, Long.toString(version)).text(3, more);
        Message list = message().part(1, metadata);
        objects.forEach(object -> list.part(2, object.wire()));
        return RecordedBodies.envelope("ObjectList", list);
    }

    private void list(FakeResponse answer, WatchedKind watchedKind, String path, Optional<AnswerFault> answerFault) {
        Rest asked = asked(watchedKind, path);
        boolean all = asked.objects().size() <= pageSize;
        List<FakeObject> page = all ? asked.objects() : asked.objects().subList(0, pageSize);
        byte[] body = body(page, asked.version(), all ? "" : Long.toString(keep(asked, page.size())));
        List<FakeResponse> ofKind = lists.computeIfAbsent(watchedKind, _ -> new ArrayList<>());
        ofKind.removeIf(FakeResponse::over);
        ofKind.add(answer);
        mostListsAtOnce = Math.max(mostListsAtOnce, ofKind.size());
        switch (answerFault.orElse(new AnswerFault.Cut(1))) {
            case AnswerFault.Page(String html) -> {
                answer.send(html.getBytes(StandardCharsets.UTF_8));
                answer.end();
            }
            case AnswerFault.Cut(double share)
            when share < 1 -> {
                answer.send(part(body, share));
                answer.end();
            }
            case AnswerFault.Cut _ -> {
                answer.send(part(body, 0.5));
                byte[] rest = Arrays.copyOfRange(body, part(body, 0.5).length, body.length);
                time.after(
                        listsTake,
                        () -> lastOf(answer, rest, all ? Optional.of(watchedKind) : Optional.empty(), asked));
            }
            case AnswerFault.Breaks(double share) -> {
                answer.send(part(body, share));
                answer.breaks("reset");
            }
            case AnswerFault.Freezes(double share) -> answer.send(part(body, share));
            case AnswerFault.Trickles(Duration length) -> trickle(answer, body, length);
            case AnswerFault.Down _, AnswerFault.Mute _, AnswerFault.Refuses _ ->
                throw new IllegalStateException("handled in meets");
            case AnswerFault.Sends _, AnswerFault.Delays _ -> throw new IllegalStateException("not a fault of lists");
        }
    }

    /** {@return the objects of the requested page and of all later pages} */
    private Rest asked(WatchedKind watchedKind, String path) {
        Matcher token = CONTINUE.matcher(path);
        if (!token.find()) {
            return new Rest(state.version(), List.copyOf(state.all(watchedKind)));
        }
        Optional<Rest> rest = Optional.ofNullable(rests.remove(Long.valueOf(token.group(1))));
        return rest.filter(it -> state.since(watchedKind, it.version()).isPresent())
                .orElseThrow(
                        () -> ApiRefusal.byServer(410, "The provided continue parameter is too old", Duration.ZERO));
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

    /**
     * Sends the rest of a response body and ends it.
     *
     * @param told the kind that the client knows completely after this response; empty if there are more pages
     */
    private void lastOf(FakeResponse answer, byte[] rest, Optional<WatchedKind> told, Rest asked) {
        if (!answer.over()) {
            answer.send(rest);
            answer.end();
            told.ifPresent(watchedKind -> {
                this.told.put(watchedKind, asked.version());
                pastTold.put(watchedKind, past);
            });
        }
    }

    private void trickle(FakeResponse answer, byte[] body, Duration length) {
        for (int i = 1; i <= PARTS; i++) {
            byte[] next = Arrays.copyOfRange(body, body.length * (i - 1) / PARTS, body.length * i / PARTS);
            time.after(length.multipliedBy(i).dividedBy(PARTS), () -> answer.send(next));
        }
        time.after(length, answer::end);
    }

    private static byte[] part(byte[] body, double share) {
        return Arrays.copyOf(body, (int) (body.length * share));
    }

    private void watch(FakeResponse answer, Asking asking, long seconds, Optional<AnswerFault> answerFault) {
        WatchedKind watchedKind = asking.watchedKind();
        if (answerFault.isPresent() && answerFault.get() instanceof AnswerFault.Page(String html)) {
            answer.send(html.getBytes(StandardCharsets.UTF_8));
            answer.end();
            return;
        }
        if (answerFault.isPresent() && answerFault.get() instanceof AnswerFault.Sends(Supplier<byte[]> body)) {
            answer.send(body.get());
            answer.end();
            return;
        }
        Optional<List<Change>> missed = state.since(watchedKind, asking.from());
        if (missed.isEmpty() && refusesForgotten) {
            throw ApiRefusal.byServer(410, "too old resource version", Duration.ZERO);
        }
        boolean second = seconds == SecondWatch.LENGTH.toSeconds();
        // What a second watch shows is not delivered.
        LongConsumer delivered = second ? _ -> {} : version -> tells(watchedKind, version);
        FakeWatch watch = new FakeWatch(time, watchedKind, asking.from(), answer, delivered);
        watches.add(watch);
        if (answerFault.isPresent() && answerFault.get() instanceof AnswerFault.Freezes) {
            watch.silences();
        }
        missed.ifPresentOrElse(all -> all.forEach(watch::changed), () -> watch.fails(410));
        time.after(Duration.ofSeconds(seconds), watch::ends);
        Duration untilLast = Duration.ofSeconds(Math.max(0, seconds - LAST_BOOKMARK_BEFORE));
        // The list of one object before a second watch has requested etcd's progress, so even a kind without changes
        // has a bookmark.
        time.after(untilLast, second ? () -> watch.bookmark(state.version()) : () -> bookmark(watch));
        bookmarks(watch);
    }

    /**
     * Sends bookmarks at regular intervals until the watch is over. A kind without changes since the API server's start
     * gets none, as if etcd does not report its progress.
     */
    private void bookmarks(FakeWatch watch) {
        time.after(BOOKMARKS_EACH, () -> {
            if (!watch.over()) {
                bookmark(watch);
                bookmarks(watch);
            }
        });
    }

    private void bookmark(FakeWatch watch) {
        if (!watch.over() && state.hasChanged(watch.watchedKind())) {
            watch.bookmark(state.version());
        }
    }
}
