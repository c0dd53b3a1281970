/**
 * Turns one YAML file and the environment into checked, typed settings, or into a list of every
 * fault found.
 */
package io.phasewise.canary.config;
