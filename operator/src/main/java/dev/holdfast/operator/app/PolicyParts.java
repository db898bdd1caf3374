package dev.holdfast.operator.app;

import dev.holdfast.crds.v1alpha1.status.PolicyLeader;
import dev.holdfast.operator.api.AdmissionDiscovery;
import dev.holdfast.operator.api.InjectionSupport;
import dev.holdfast.operator.lead.Leadership;
import dev.holdfast.operator.reconcile.PolicyControllers;
import dev.holdfast.operator.reconcile.PolicyRegistry;
import dev.holdfast.operator.reconcile.PolicyReports;
import dev.holdfast.operator.reconcile.StatusScheduler;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.policies.rule.PolicyId;

/** The parts of the operator that follow policies and pauses, and write the statuses of policies. */
final class PolicyParts {
    final Listener<PolicyId> deletedPolicies = new Listener<>();
    final AdmissionDiscovery discovery;
    final PolicyRegistry registry;
    final PolicyReports reports = new PolicyReports();
    final StatusScheduler statusScheduler;
    final PolicyControllers controllers;

    PolicyParts(CoreParts core, Leadership leadership) {
        discovery = new AdmissionDiscovery(core.client, core.failures::threadDied);
        registry = new PolicyRegistry(
                new PolicyTranslator(core.config.defaultForgiveness()),
                core.queue::offer,
                deletedPolicies,
                core.options.clock());
        statusScheduler = statusScheduler(core, leadership, discovery, registry, reports);
        controllers = new PolicyControllers(
                core.connection,
                registry,
                reports,
                statusScheduler,
                core.historyGuard,
                core.options.clock(),
                leadership.comparison()::wallClock,
                core.failures::informerStopped);
    }

    private static StatusScheduler statusScheduler(
            CoreParts core,
            Leadership leadership,
            AdmissionDiscovery discovery,
            PolicyRegistry registry,
            PolicyReports reports) {
        return new StatusScheduler(
                reports,
                () -> leadership.leadingSince().map(since -> PolicyLeader.of(core.options.identity(), since)),
                () -> core.observedEngine.views().missing().stream()
                        .map(why -> "view " + why)
                        .findFirst(),
                () -> injectionSupport(
                        discovery.support(), core.config.scheduling().enabled()),
                core.telemetry.metrics(),
                registry::uid,
                core.options.clock(),
                core.options.statusInterval());
    }

    /** {@return whether the API server can inject rules} An old server is named first: it needs an upgrade. */
    private static InjectionSupport injectionSupport(InjectionSupport served, boolean installed) {
        return served == InjectionSupport.NOT_SERVED || installed ? served : InjectionSupport.NOT_INSTALLED;
    }
}
