/** Puts the rooms together for one cluster and keeps them going, whatever the cluster does. */
package io.phasewise.canary.cluster;
