-- Exporting devices is a permission of its own. Keys that could export keep it.

UPDATE api_keys SET scopes = array_append(scopes, 'devices:export')
WHERE 'devices:read' = ANY (scopes) AND NOT 'devices:export' = ANY (scopes);
