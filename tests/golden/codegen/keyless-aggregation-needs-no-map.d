/* What: no map, no slot; this CPU's word in the shared state. */
profile-97 { @ = count(); }
