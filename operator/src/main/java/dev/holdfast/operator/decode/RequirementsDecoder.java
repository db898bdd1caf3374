package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.ResourceAmounts;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Resources;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes a pod's resource requests and host ports from the sequence of fields that {@link RequirementsFields} has
 * collected. Before the fields of each container, the sequence has an artificial field. Its number says to what the
 * next fields belong.
 *
 * <p>Example: 102, name, resources, 101, name, ports are the fields of an init container and of an app container.
 */
final class RequirementsDecoder {
    /**
     * Number of the artificial field before the fields of an app container. The next two constants are those before the
     * fields of an init container and of a container status. No field of a pod that is collected has one of these
     * numbers.
     */
    static final int CONTAINER = 101;

    static final int INIT_CONTAINER = 102;
    static final int STATUS = 103;

    /**
     * Number of an artificial field. It is added to a pod's fields if the status has the pod-level field {@code
     * resources}.
     */
    static final int KNOWN_IN_ALL = 104;

    /**
     * Number of an artificial field. It is added to a pod's fields if the kubelet reports the desired in-place resize
     * as infeasible.
     */
    static final int INFEASIBLE = 105;

    private static final byte[] ALWAYS = {'A', 'l', 'w', 'a', 'y', 's'};
    private static final String EVERY_ADDRESS = "0.0.0.0";

    private final StringCache stringCache;
    private final ProtoReader reader = new ProtoReader();
    private final PodRequestSum sum = new PodRequestSum();
    private final List<HostPort> sidecarPorts = new ArrayList<>();
    private final List<HostPort> properPorts = new ArrayList<>();

    /**
     * To what the fields now being read belong: {@link #CONTAINER}, {@link #INIT_CONTAINER} or {@link #STATUS}; -1
     * before the first container. The variables below hold what was read of this container or status so far.
     */
    private int part = -1;

    private String name = "";
    private boolean always;
    private ResourceAmounts requests = new ResourceAmounts();
    private ResourceAmounts allocated = new ResourceAmounts();
    private List<HostPort> ports = new ArrayList<>();

    private RequirementsDecoder(StringCache stringCache) {
        this.stringCache = stringCache;
    }

    /** {@return the requirements decoded from the collected fields, without volume claims} */
    static PodRequirements read(ByteSlice fields, StringCache stringCache) throws MalformedException {
        RequirementsDecoder parts = new RequirementsDecoder(stringCache);
        parts.read(fields);
        List<HostPort> hostPorts = new ArrayList<>(parts.sidecarPorts);
        hostPorts.addAll(parts.properPorts);
        Resources asked = parts.sum.requests();
        Resources reserved = parts.sum.reserved();
        PodRequirements podRequirements =
                new PodRequirements(asked, reserved.equals(asked) ? asked : reserved, hostPorts, List.of());
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
                case PodFieldNumbers.Container.NAME -> name = stringCache.of(reader);
                case PodFieldNumbers.Container.RESTART_POLICY -> always = reader.is(ALWAYS);
                case PodFieldNumbers.Container.PORTS -> port();
                case PodFieldNumbers.Container.RESOURCES, PodFieldNumbers.ContainerStatus.RESOURCES ->
                    requests(requests);
                case PodFieldNumbers.ContainerStatus.ALLOCATED_RESOURCES -> allocated.read(reader, stringCache);
                case PodFieldNumbers.Spec.OVERHEAD -> sum.overhead.read(reader, stringCache);
                case PodFieldNumbers.Spec.RESOURCES -> requests(sum.desired);
                case PodFieldNumbers.Status.ALLOCATED_RESOURCES -> sum.givenInAll.read(reader, stringCache);
                case PodFieldNumbers.Status.RESOURCES -> requests(sum.actualPodLevel);
                default -> reader.skip();
            }
        }
        end();
    }

    private void begin(int mark) throws MalformedException {
        reader.skip();
        end();
        part = mark;
        name = "";
        always = false;
        requests = new ResourceAmounts();
        allocated = new ResourceAmounts();
        ports = new ArrayList<>();
    }

    private void end() {
        switch (part) {
            case CONTAINER -> {
                sum.container(name, PodRequestSum.Part.PROPER, requests);
                properPorts.addAll(ports);
            }
            case INIT_CONTAINER -> {
                sum.container(name, always ? PodRequestSum.Part.STAYS : PodRequestSum.Part.FIRST, requests);
                // Init containers that end do not use their ports while the pod runs.
                sidecarPorts.addAll(always ? ports : List.of());
            }
            case STATUS -> sum.status(name, allocated, requests);
            default -> {
                // No container has begun.
            }
        }
    }

    private void requests(ResourceAmounts into) throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == PodFieldNumbers.ResourceRequirements.REQUESTS) {
                into.read(reader, stringCache);
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void port() throws MalformedException {
        int port = 0;
        String protocol = "";
        String ip = "";
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case PodFieldNumbers.ContainerPort.HOST_PORT -> port = reader.int32();
                case PodFieldNumbers.ContainerPort.PROTOCOL -> protocol = stringCache.of(reader);
                case PodFieldNumbers.ContainerPort.HOST_IP -> ip = stringCache.of(reader);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        if (port > 0) {
            ports.add(new HostPort(ip.isEmpty() ? EVERY_ADDRESS : ip, port, protocol.isEmpty() ? "TCP" : protocol));
        }
    }
}
