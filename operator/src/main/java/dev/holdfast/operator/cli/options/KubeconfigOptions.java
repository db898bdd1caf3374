package dev.holdfast.operator.cli.options;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say with which credentials a command reaches a cluster. */
public final class KubeconfigOptions {
    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig file. Default: $KUBECONFIG, else ~/.kube/config, else, in a cluster, the pod's"
                    + " service account.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Context of the kubeconfig. Default: its current-context.")
    private @Nullable String context;

    /** {@return whether the user gave any of these options} */
    public boolean areGiven() {
        return kubeconfig != null || context != null;
    }

    /** {@return where the credentials are} */
    public Kubeconfig credentials() {
        return new Kubeconfig(Optional.ofNullable(kubeconfig), Optional.ofNullable(context));
    }
}
