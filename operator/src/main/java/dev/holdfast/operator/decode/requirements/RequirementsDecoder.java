package dev.holdfast.operator.decode.requirements;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.meta.AutoscalerUpdates;
import dev.holdfast.operator.decode.meta.ResourceAmounts;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.MapEntry;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.NextRequests;
import dev.holdfast.policies.model.PodRequirements.Role;
import dev.holdfast.policies.model.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decodes a pod's resource requests, limits and host ports from the sequence of fields that {@link RequirementsFields}
 * has collected. Before the fields of each container, the sequence has an artificial field. The number of that field
 * says to what the next fields belong.
 *
 * <p>Example: 102, name, resources, 101, name, ports are the fields of an init container and of an app container.
 */
public final class RequirementsDecoder {
    /**
     * Number of the artificial field before the fields of an app container. The next two constants are those before the
     * fields of an init container and of a container status. No field of a pod that is collected has one of these
     * numbers.
     */
    public static final int CONTAINER = 101;

    public static final int INIT_CONTAINER = 102;
    static final int STATUS = 103;

    /**
     * Number of the artificial field that is added to a pod's fields if the status has the pod-level field {@code
     * resources}.
     */
    public static final int KNOWN_IN_ALL = 104;

    /**
     * Number of the artificial field that is added to a pod's fields if the kubelet reports the desired in-place resize
     * as infeasible.
     */
    public static final int INFEASIBLE = 105;

    /**
     * Number of an artificial field. This field or one of the next three is added to a pod's fields if its replacement
     * may request something else, one for each {@link NextRequests}.
     */
    public static final int FROM_TEMPLATE = 106;

    public static final int FROM_TEMPLATE_IF_KNOWN = 107;
    public static final int LARGER = 108;
    public static final int FROM_AUTOSCALER = 109;

    /** Number of the artificial field that is added to a pod's fields if LimitRanges set some of its amounts. */
    public static final int DEFAULTS = 110;

    /** Number of the artificial field after the fields of a pod in its node's network: its ports are host ports. */
    public static final int HOST_NETWORK = 111;

    /** Number of the artificial field before the fields of a template, in which the API server sets no default. */
    public static final int OF_TEMPLATE = 112;

    private static final byte[] ALWAYS = {'A', 'l', 'w', 'a', 'y', 's'};
    private static final String EVERY_ADDRESS = "0.0.0.0";

    private final StringCache stringCache;
    private final ProtoReader reader = new ProtoReader();
    private final PodRequestSum sum = new PodRequestSum();
    private final List<Port> sidecarPorts = new ArrayList<>();
    private final List<Port> properPorts = new ArrayList<>();
    private final List<Container> appContainers = new ArrayList<>();
    private final List<Container> initContainers = new ArrayList<>();
    private final ResourceAmounts podLimits = new ResourceAmounts();

    /**
     * To what the fields now being read belong: {@link #CONTAINER}, {@link #INIT_CONTAINER} or {@link #STATUS}; -1
     * before the first container. The variables below hold what was read of this container or status so far.
     */
    private int part = -1;

    /** The annotations of an autoscaler, by their keys. */
    private final Map<String, String> notes = new HashMap<>();

    private NextRequests next = NextRequests.SAME;
    private boolean hasDefaults;
    private boolean hostNetwork;
    private boolean ofTemplate;
    private String name = "";
    private boolean always;
    private ResourceAmounts requests = new ResourceAmounts();
    private ResourceAmounts limits = new ResourceAmounts();
    private ResourceAmounts allocated = new ResourceAmounts();
    private List<Port> ports = new ArrayList<>();

    /**
     * A port of a container.
     *
     * @param onHost with the number 0 if the port names none on the host
     */
    private record Port(HostPort onHost, int inContainer) {
        HostPort onHost(boolean hostNetwork) {
            return onHost.port() == 0 && hostNetwork
                    ? new HostPort(onHost.ip(), inContainer, onHost.protocol())
                    : onHost;
        }
    }

    private RequirementsDecoder(StringCache stringCache) {
        this.stringCache = stringCache;
    }

    /** {@return the requirements decoded from the collected fields, without volume claims} */
    static PodRequirements read(ByteSlice fields, StringCache stringCache) throws MalformedException {
        RequirementsDecoder parts = new RequirementsDecoder(stringCache);
        parts.read(fields);
        List<HostPort> hostPorts = Stream.concat(parts.sidecarPorts.stream(), parts.properPorts.stream())
                .map(port -> port.onHost(parts.hostNetwork))
                .filter(port -> port.port() > 0)
                .toList();
        Resources asked = parts.sum.requests();
        Resources reserved = parts.sum.reserved();
        PodRequirements podRequirements = new PodRequirements(
                asked,
                reserved.equals(asked) ? asked : reserved,
                hostPorts,
                List.of(),
                parts.containers(),
                parts.next,
                parts.hasDefaults);
        return podRequirements.equals(PodRequirements.none()) ? PodRequirements.none() : podRequirements;
    }

    private void read(ByteSlice fields) throws MalformedException {
        reader.open(fields);
        while (reader.next()) {
            switch (reader.field()) {
                case CONTAINER, INIT_CONTAINER, STATUS -> begin(reader.field());
                case KNOWN_IN_ALL -> {
                    reader.skip();
                    sum.hasPodLevelStatus = true;
                }
                case INFEASIBLE -> {
                    reader.skip();
                    sum.infeasible = true;
                }
                case FROM_TEMPLATE -> next(NextRequests.TEMPLATE);
                case FROM_TEMPLATE_IF_KNOWN -> next(NextRequests.TEMPLATE_IF_KNOWN);
                case LARGER -> next(NextRequests.LARGER);
                case DEFAULTS -> {
                    reader.skip();
                    hasDefaults = true;
                }
                case OF_TEMPLATE -> {
                    reader.skip();
                    ofTemplate = true;
                }
                case HOST_NETWORK -> {
                    reader.skip();
                    hostNetwork = true;
                }
                case FROM_AUTOSCALER -> next(NextRequests.AUTOSCALER);
                case Fields.ObjectMeta.ANNOTATIONS -> annotation();
                case Fields.Container.NAME -> name = stringCache.of(reader);
                case Fields.Container.RESTART_POLICY -> always = reader.is(ALWAYS);
                case Fields.Container.PORTS -> port();
                case Fields.Container.RESOURCES, Fields.ContainerStatus.RESOURCES -> resources(requests, limits);
                case Fields.ContainerStatus.ALLOCATED_RESOURCES -> allocated.read(reader, stringCache);
                case Fields.PodSpec.OVERHEAD -> sum.overhead.read(reader, stringCache);
                case Fields.PodSpec.RESOURCES -> resources(sum.desired, podLimits);
                case Fields.PodStatus.ALLOCATED_RESOURCES -> sum.givenInAll.read(reader, stringCache);
                case Fields.PodStatus.RESOURCES -> resources(sum.actualPodLevel, new ResourceAmounts());
                default -> reader.skip();
            }
        }
        end();
        readAutoscaled();
    }

    private void annotation() throws MalformedException {
        String key = "";
        String value = "";
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case MapEntry.KEY -> key = stringCache.of(reader);
                case MapEntry.VALUE -> value = reader.string(AutoscalerUpdates.MOST_BYTES);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        notes.put(key, value);
    }

    /** Stores for each container the amounts that an autoscaler sets. */
    private void readAutoscaled() {
        if (next == NextRequests.AUTOSCALER) {
            AutoscalerUpdates.of(
                            notes, appContainers.stream().map(Container::name).toList())
                    .ifPresent(set -> {
                        next = NextRequests.PARTLY_AUTOSCALER;
                        appContainers.replaceAll(it -> new Container(
                                it.name(),
                                it.role(),
                                it.requests(),
                                it.limits(),
                                set.getOrDefault(it.name(), Set.of())));
                    });
        }
    }

    private List<Container> containers() {
        List<Container> containers = new ArrayList<>(appContainers);
        containers.addAll(initContainers);
        if (!sum.desired.isEmpty() || !podLimits.isEmpty()) {
            containers.add(container("", Role.POD, sum.desired, podLimits));
        }
        return containers;
    }

    private void next(NextRequests from) throws MalformedException {
        reader.skip();
        next = from;
    }

    private void begin(int mark) throws MalformedException {
        reader.skip();
        end();
        part = mark;
        name = "";
        always = false;
        requests = new ResourceAmounts();
        limits = new ResourceAmounts();
        allocated = new ResourceAmounts();
        ports = new ArrayList<>();
    }

    private void end() {
        if (part != STATUS && !ofTemplate) {
            // The API server takes a limit without a request for the request.
            requests = limits.copy().replace(requests);
        }
        switch (part) {
            case CONTAINER -> {
                sum.container(name, PodRequestSum.Part.PROPER, requests);
                appContainers.add(container(name, Role.APP, requests, limits));
                properPorts.addAll(ports);
            }
            case INIT_CONTAINER -> {
                sum.container(name, always ? PodRequestSum.Part.STAYS : PodRequestSum.Part.FIRST, requests);
                initContainers.add(container(name, always ? Role.SIDECAR : Role.INIT, requests, limits));
                // Init containers that end do not use their ports while the pod runs.
                sidecarPorts.addAll(always ? ports : List.of());
            }
            case STATUS -> sum.status(name, allocated, requests);
            default -> {
                // No container has begun.
            }
        }
    }

    private static Container container(String name, Role role, ResourceAmounts requests, ResourceAmounts limits) {
        return new Container(name, role, requests.thousandths(), limits.thousandths());
    }

    private void resources(ResourceAmounts intoRequests, ResourceAmounts intoLimits) throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.ResourceRequirements.REQUESTS -> intoRequests.read(reader, stringCache);
                case Fields.ResourceRequirements.LIMITS -> intoLimits.read(reader, stringCache);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void port() throws MalformedException {
        int port = 0;
        int inContainer = 0;
        String protocol = "";
        String ip = "";
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.ContainerPort.HOST_PORT -> port = reader.int32();
                case Fields.ContainerPort.CONTAINER_PORT -> inContainer = reader.int32();
                case Fields.ContainerPort.PROTOCOL -> protocol = stringCache.of(reader);
                case Fields.ContainerPort.HOST_IP -> ip = stringCache.of(reader);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        ports.add(new Port(
                new HostPort(ip.isEmpty() ? EVERY_ADDRESS : ip, port, protocol.isEmpty() ? "TCP" : protocol),
                inContainer));
    }
}
