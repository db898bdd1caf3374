package dev.holdfast.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NotesTest {
    @ParameterizedTest
    @MethodSource
    void say(String text, String... settings) {
        assertThat(Chart.notes(settings)).contains(text);
    }

    static List<Arguments> say() {
        return List.of(
                row("that nothing is enforced by default", "What it enforces\n  Nothing. It observes and reports;"),
                row(
                        "how to prove it",
                        "kubectl auth can-i create pods --subresource=eviction -A"
                                + " --as=system:serviceaccount:hf:holdfast\n"),
                row("what is enforced, and how fast at most", """
                    What it enforces
                      Policies with mode Enforce: it evicts pods whose required rule has been broken for longer than the forgiveness
                      (300 s unless a policy sets its own), at most 10 at a time and 120 an hour.
                    """, "enforcement.enabled=true"),
                row(
                        "whole numbers, however great",
                        "(604800 s unless a policy sets its own)",
                        "enforcement.enabled=true",
                        "config.defaultForgivenessSeconds=604800"),
                row(
                        "that a ceiling of Audit makes the right useless",
                        "Nothing: config.maxMode is Audit",
                        "enforcement.enabled=true",
                        "config.maxMode=Audit"),
                row("that nothing runs", "Nothing: replicaCount is 0", "replicaCount=0"),
                row(
                        "that kube-system is not protected",
                        "Beware: neither config.protectedNamespaces nor config.exemptNamespaces names kube-system",
                        "enforcement.enabled=true",
                        "config.protectedNamespaces[0]=kube-public",
                        "config.exemptNamespaces[0]=infra"),
                row(
                        "that a short forgiveness is risky",
                        "Beware: config.defaultForgivenessSeconds is 5.",
                        "enforcement.enabled=true",
                        "config.defaultForgivenessSeconds=5"),
                row("that the CRDs are missing", "Beware: crds.enabled is false.", "crds.enabled=false"),
                row(
                        "that one replica has no standby",
                        "Beware: replicaCount is 1. While its pod restarts or moves to another node, no pod is evicted",
                        "replicaCount=1"),
                row("which replica acts", """
                    How to see which replica acts
                      kubectl -n kube-system get lease holdfast

                    How to stop it
                    """),
                row(
                        "which replica acts, by the lease of these values",
                        "kubectl -n locks get lease holdfast\n",
                        "config.lease.namespace=locks"),
                row("how to see violations", "kubectl get holdfast -A\n"),
                row("how to stop it", "kubectl -n hf scale deployment/holdfast --replicas=0\n"));
    }

    @Test
    void warnOfNothingByDefault() {
        assertThat(Chart.notes()).doesNotContain("Beware");
        assertThat(Chart.notes("enforcement.enabled=true")).doesNotContain("Beware");
    }

    @Test
    void sayWhichReplicaActsOnlyIfThereAreSeveral() {
        assertThat(Chart.notes("replicaCount=1")).doesNotContain("which replica acts");
        assertThat(Chart.notes("replicaCount=0")).doesNotContain("which replica acts", "no pod is evicted");
    }

    private static Arguments row(String name, String text, String... settings) {
        return argumentSet(name, text, settings);
    }
}
