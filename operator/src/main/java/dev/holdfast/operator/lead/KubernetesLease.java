package dev.holdfast.operator.lead;

import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.operator.api.ApiErrorText;
import dev.holdfast.operator.api.LimitedRequests;
import dev.holdfast.operator.config.LeaseSettings;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Client of the leader election Lease in a cluster. Used by one thread only, except for the notes. */
final class KubernetesLease implements LeaseApi {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(3);

    /**
     * The annotation that says which write of the ledger is the newest, so that no older write is taken for the newest.
     */
    private static final String LEDGER = "holdfast.dev/ledger";

    private static final String RESOURCE = "leases.coordination.k8s.io";

    private final LimitedRequests requests;
    private final LeaseSettings settings;
    private final String folder;

    /**
     * The Lease in the API server's last reply. A replace changes only the spec in it, so it keeps fields that other
     * clients set, for example labels.
     */
    private Lease latest = new Lease();

    /** The note of this replica's last write of the ledger since it took the Lease. */
    private volatile Optional<String> note = Optional.empty();

    private volatile Optional<String> noted = Optional.empty();

    KubernetesLease(Config connection, LeaseSettings settings, ClockComparison comparison) {
        this(
                new LimitedRequests(
                        ApiClients.intercepted(
                                connection, REQUEST_TIMEOUT, new DateInterceptor(comparison, folder(settings))),
                        REQUEST_TIMEOUT),
                settings);
    }

    KubernetesLease(LimitedRequests requests, LeaseSettings settings) {
        this.requests = requests;
        this.settings = settings;
        this.folder = folder(settings);
    }

    private static String folder(LeaseSettings settings) {
        return "/apis/coordination.k8s.io/v1/namespaces/" + settings.namespace() + "/leases";
    }

    @Override
    public LeaseAnswer read() {
        return request("get", folder + "/" + settings.name(), "GET", Optional.empty());
    }

    @Override
    public LeaseAnswer create(LeaseRecord lease) {
        Lease made = new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(settings.namespace())
                .withName(settings.name())
                .endMetadata()
                .withSpec(spec(lease))
                .build();
        return request("create", folder, "POST", Optional.of(made));
    }

    @Override
    public LeaseAnswer replace(LeaseRecord lease) {
        LeaseRecord before = record(latest);
        if (lease.isHeld() && !lease.isHeldBy(before.holder())) {
            note = Optional.empty();
        }
        LeaseBuilder edited = new LeaseBuilder(latest).withSpec(spec(lease));
        note.ifPresent(last ->
                edited.editOrNewMetadata().addToAnnotations(LEDGER, last).endMetadata());
        return request("update", folder + "/" + settings.name(), "PUT", Optional.of(edited.build()));
    }

    private LeaseAnswer request(String verb, String path, String method, Optional<Lease> body) {
        try {
            Lease read = requests.send(method, path, body, Lease.class);
            noted = Optional.ofNullable(read.getMetadata().getAnnotations()).map(all -> all.get(LEDGER));
            latest = read;
            return new LeaseAnswer.Current(record(read));
        } catch (KubernetesClientException e) {
            return failure(verb, e);
        } catch (RuntimeException e) {
            return new LeaseAnswer.NoAnswer(ApiErrorText.of(verb, RESOURCE, e));
        }
    }

    private LeaseAnswer failure(String verb, KubernetesClientException e) {
        return switch (e.getCode()) {
            case 403 ->
                new LeaseAnswer.Refused("the right to " + verb + " " + RESOURCE + " " + settings.namespace() + "/"
                        + settings.name()
                        + (verb.equals("create") ? ", which does not exist," : "") + " is missing: grant it"
                        + (verb.equals("create") ? " or create the lease" : ""));
            case 404 ->
                verb.equals("create")
                        ? new LeaseAnswer.Refused("namespace " + settings.namespace() + " of the lease does not exist")
                        : new LeaseAnswer.Missing();
            case 409 -> new LeaseAnswer.Changed();
            default -> new LeaseAnswer.NoAnswer(ApiErrorText.of(verb, RESOURCE, e));
        };
    }

    private static LeaseSpec spec(LeaseRecord lease) {
        LeaseSpec spec = new LeaseSpec();
        spec.setHolderIdentity(lease.holder());
        spec.setLeaseDurationSeconds(Math.toIntExact(lease.duration().toSeconds()));
        spec.setAcquireTime(time(lease.acquireTime()));
        spec.setRenewTime(time(lease.renewTime()));
        spec.setLeaseTransitions(lease.transitions());
        return spec;
    }

    private static LeaseRecord record(Lease lease) {
        LeaseSpec spec = Optional.ofNullable(lease.getSpec()).orElseGet(LeaseSpec::new);
        return new LeaseRecord(
                Optional.ofNullable(spec.getHolderIdentity()).orElse(""),
                Duration.ofSeconds(
                        Optional.ofNullable(spec.getLeaseDurationSeconds()).orElse(0)),
                instant(spec.getAcquireTime()),
                instant(spec.getRenewTime()),
                Optional.ofNullable(spec.getLeaseTransitions()).orElse(0));
    }

    private static ZonedDateTime time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
    }

    private static Instant instant(@Nullable ZonedDateTime time) {
        return time == null ? Instant.EPOCH : time.toInstant();
    }

    @Override
    public void note(String lastWrite) {
        note = Optional.of(lastWrite);
    }

    @Override
    public Optional<String> noted() {
        return noted;
    }

    @Override
    public void close() {
        requests.close();
    }
}
