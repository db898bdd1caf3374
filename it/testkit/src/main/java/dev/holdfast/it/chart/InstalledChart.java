package dev.holdfast.it.chart;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.Release;
import com.marcnuri.helm.UpgradeCommand;
import dev.holdfast.it.controlplane.AccountToken;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.PodAccount;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A release of the chart on a running control plane, in a namespace of the same name. An operator started with {@link
 * #kubeconfig()} and {@link #config()} has exactly the rights and the configuration of the release's Deployment.
 *
 * <p>Settings are written as for {@code helm --set}: {@code enforcement.enabled=true}. The first release on a control
 * plane installs the CRDs. Neither uninstalling that release nor installing another one changes the CRDs.
 *
 * <p>A JVM that has called {@link #upgrade}, {@link #uninstall} or {@link #status} no longer ends on SIGINT or SIGTERM
 * (see {@link HelmProcess}); call these methods only in tests.
 */
public final class InstalledChart {
    private final ControlPlane controlPlane;
    private final Path chart;
    private final String release;
    private final List<String> always;

    private InstalledChart(ControlPlane controlPlane, Path chart, String release, List<String> always) {
        this.controlPlane = controlPlane;
        this.chart = chart;
        this.release = release;
        this.always = List.copyOf(always);
    }

    /**
     * Installs the chart of this repository. The JVM must have been started at the root of the repository or in one of
     * its modules. All releases installed this way use the same leader election Lease, so only one operator evicts.
     *
     * @throws IllegalStateException if there is no chart, or Helm reports an error; the message is Helm's
     */
    public static InstalledChart install(ControlPlane controlPlane, String release, String... settings) {
        return install(new InstalledChart(controlPlane, chartOfRepository(), release, List.of()), settings);
    }

    /**
     * Installs the chart as {@link #install}, but with a separate leader election Lease, for tests in which several
     * operators evict. The CRDs then announce no lease, so that no operator refuses to start.
     */
    public static InstalledChart installWithOwnLease(ControlPlane controlPlane, String release, String... settings) {
        List<String> ownLease = List.of("config.lease.namespace=" + release);
        InstalledChart installed =
                install(new InstalledChart(controlPlane, chartOfRepository(), release, ownLease), settings);
        installed.withdrawAnnouncedLease();
        return installed;
    }

    private void withdrawAnnouncedLease() {
        try (KubernetesClient client = admin()) {
            client.apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName("placementpolicies.holdfast.dev")
                    .edit(crd -> new CustomResourceDefinitionBuilder(crd)
                            .editMetadata()
                            .removeFromAnnotations("holdfast.dev/lease")
                            .endMetadata()
                            .build());
        }
    }

    private static InstalledChart install(InstalledChart installed, String... settings) {
        installed.helm(HelmCommand.INSTALL, settings);
        return installed;
    }

    /** Upgrades the release with these settings; they replace all earlier ones. */
    public void upgrade(String... settings) {
        UpgradeCommand command = new Helm(chart)
                .upgrade()
                .resetValues()
                .withName(release)
                .withNamespace(release)
                .withKubeConfig(controlPlane.kubeconfig());
        settings(settings).forEach(setting -> command.set(HelmCommand.key(setting), HelmCommand.value(setting)));
        command.call();
    }

    /** Removes the release. The namespace and the CRDs stay. */
    public void uninstall() {
        Helm.uninstall(release)
                .withNamespace(release)
                .withKubeConfig(controlPlane.kubeconfig())
                .call();
    }

    /** {@return the release as Helm reports it now; revision 1 is the first installation} */
    public Release status() {
        return Helm.status(release)
                .withNamespace(release)
                .withKubeConfig(controlPlane.kubeconfig())
                .call();
    }

    /** {@return the YAML documents that Helm would install with these settings} */
    public String manifest(String... settings) {
        return helm(HelmCommand.TEMPLATE, settings);
    }

    private String helm(String command, String... settings) {
        Path kubeconfig = controlPlane.kubeconfig();
        return new HelmProcess(controlPlane.folder())
                .run(HelmCommand.arguments(command, chart, release, kubeconfig, settings(settings)));
    }

    /** {@return the namespace of the release} */
    public String namespace() {
        return release;
    }

    /** {@return the user name of the release's ServiceAccount at the API server} */
    public String user() {
        try (KubernetesClient client = admin()) {
            return "system:serviceaccount:" + release + ":" + account(client);
        }
    }

    /** {@return a kubeconfig file of the release's ServiceAccount, valid for a day; each call requests a new token} */
    public Path kubeconfig() {
        try (KubernetesClient client = admin()) {
            return controlPlane.kubeconfig(release + "-" + account(client), token(client));
        }
    }

    /**
     * {@return the credentials that a pod of the release's ServiceAccount gets, valid for a day; each call requests a
     * new token}
     */
    public PodAccount podAccount() {
        return controlPlane.podAccount(release, token());
    }

    /** {@return a new token of the release's ServiceAccount, valid for a day} */
    public String token() {
        try (KubernetesClient client = admin()) {
            return token(client);
        }
    }

    private String token(KubernetesClient client) {
        return AccountToken.request(client, release, account(client));
    }

    /** {@return the operator's configuration file from the release's ConfigMap} */
    public String config() {
        try (KubernetesClient client = admin()) {
            return client
                    .configMaps()
                    .inNamespace(release)
                    .withLabel("app.kubernetes.io/instance", release)
                    .list()
                    .getItems()
                    .stream()
                    .flatMap(map -> map.getData().values().stream())
                    .reduce((first, second) -> {
                        throw new IllegalStateException("release " + release + " has two configurations");
                    })
                    .orElseThrow(() -> new IllegalStateException("release " + release + " has no configuration"));
        }
    }

    /** {@return the operator's container in the release's Deployment} */
    public Container container() {
        try (KubernetesClient client = admin()) {
            return client.apps()
                    .deployments()
                    .inNamespace(release)
                    .withLabel("app.kubernetes.io/instance", release)
                    .list()
                    .getItems()
                    .getFirst()
                    .getSpec()
                    .getTemplate()
                    .getSpec()
                    .getContainers()
                    .getFirst();
        }
    }

    private String account(KubernetesClient client) {
        List<ServiceAccount> accounts = client.serviceAccounts()
                .inNamespace(release)
                .withLabel("app.kubernetes.io/instance", release)
                .list()
                .getItems();
        if (accounts.size() != 1) {
            throw new IllegalStateException("release " + release + " has " + accounts.size() + " service accounts");
        }
        return accounts.getFirst().getMetadata().getName();
    }

    private List<String> settings(String... settings) {
        List<String> all = new ArrayList<>(always);
        all.addAll(Arrays.asList(settings));
        if (crdsAreOfAnotherRelease()) {
            all.add("crds.enabled=false");
        }
        return all;
    }

    private boolean crdsAreOfAnotherRelease() {
        try (KubernetesClient client = admin()) {
            return client.apiextensions().v1().customResourceDefinitions().list().getItems().stream()
                    .filter(crd -> crd.getSpec().getGroup().equals("holdfast.dev"))
                    .anyMatch(crd ->
                            !release.equals(crd.getMetadata().getAnnotations().get("meta.helm.sh/release-name")));
        }
    }

    private KubernetesClient admin() {
        return new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
    }

    private static Path chartOfRepository() {
        return Stream.of("charts/holdfast", "../../charts/holdfast")
                .map(Path::of)
                .filter(Files::isDirectory)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no charts/holdfast in or two folders above "
                        + Path.of("").toAbsolutePath()
                        + ": start the command in the repository"));
    }
}
