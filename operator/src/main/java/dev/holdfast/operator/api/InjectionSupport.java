package dev.holdfast.operator.api;

/** Whether the API server can inject rules of policies into new pods, as far as it is known without any pod. */
public enum InjectionSupport {
    /** The API server serves MutatingAdmissionPolicies, and the chart has installed some. */
    INSTALLED,
    /** The chart has installed no MutatingAdmissionPolicies. */
    NOT_INSTALLED,
    /** The API server serves no MutatingAdmissionPolicies in v1. */
    NOT_SERVED,
    /** The API server has not said yet whether it serves MutatingAdmissionPolicies. */
    UNKNOWN
}
